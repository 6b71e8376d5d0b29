"""riix's iterative Elo over games in an .npz file, for a Python that has riix: the seconds it takes.

python bench/riix_elo.py GAMES.npz
"""

import sys
import time

import numpy as np
from riix.models.elo import Elo


def main() -> None:
    given = np.load(sys.argv[1])
    elo = Elo([str(player) for player in range(int(given["players"]))], update_method="iterative")
    matchups = np.column_stack((given["white"], given["black"]))
    outcomes = given["score"] / 2
    begun = time.perf_counter()
    first = 0
    for last in given["ends"].tolist():
        elo.update(matchups[first:last], outcomes[first:last], time_step=0)
        first = last
    print(time.perf_counter() - begun)


if __name__ == "__main__":
    main()
