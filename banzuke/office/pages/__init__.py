"""What pages show of published lists: by page, player, event, working, file."""
