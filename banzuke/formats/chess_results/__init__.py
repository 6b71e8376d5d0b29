"""Pages, Excel exports and upload files of Chess-Results."""
