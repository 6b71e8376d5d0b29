"""The API: what programs may read, calculate and report; thin, as the pages are."""
