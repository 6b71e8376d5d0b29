"""What the office does in its database, one verb a module: receive, keep members, rehearse, publish, correct."""
