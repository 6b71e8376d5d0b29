"""What everybody may read: pools, lists, players with their workings, events."""
