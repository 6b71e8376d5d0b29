"""What the office does in its database, a verb a module: receive, keep members, publish, correct, charge."""
