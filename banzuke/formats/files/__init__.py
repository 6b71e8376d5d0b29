"""What files come in, whatever they hold: mail, zips, spreadsheets, text."""
