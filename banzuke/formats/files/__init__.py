"""What files of any format come in: mail, zips, spreadsheets, text."""
