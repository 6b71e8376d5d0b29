"""What programs do with an office over the network: verify lists, witness the log, play a ledger into it."""
