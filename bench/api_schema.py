"""The API asked many questions made up from its own description: no failure, no undescribed answer.

    python bench/api_schema.py [--examples 200]

It runs tests/api/test_api_schema.py with so many questions of each kind for each address.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=200)
    asked = parser.parse_args()
    file = ROOT / "tests" / "api" / "test_api_schema.py"
    tests = [sys.executable, "-m", "pytest", "-q", "-m", "slow or not slow", str(file)]
    done = subprocess.run(
        tests, cwd=ROOT, env=os.environ | {"BANZUKE_API_EXAMPLES": str(asked.examples)}, check=False
    )
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
