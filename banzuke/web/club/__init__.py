"""What a club has of the office: its events with what is missing, its members, the newcomers it brought."""
