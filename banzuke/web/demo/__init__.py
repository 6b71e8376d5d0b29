"""The demo's guide: five steps from a club's report to a player's rating. No other office has these pages."""
