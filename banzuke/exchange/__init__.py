"""Files in and out of a ledger: reports received, players matched to members, lists exported."""
