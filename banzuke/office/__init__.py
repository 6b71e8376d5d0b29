"""What a rating office does with a ledger: rate, explain, warn, receive."""
