"""What a proof is refused for."""


class ProofError(Exception):
    """What was given proves nothing: a code with facts, whose sentence is in `words/proofs.toml`."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(" ".join([code, *map(str, facts.values())]))
        self.code = code
        self.facts = facts
