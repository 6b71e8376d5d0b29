"""How the site of documents is made: pip install '.[docs]' && sphinx-build -W docs site."""

project = "Banzuke"
author = copyright = "The Banzuke maintainers"
extensions = ["myst_parser"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Banzuke"
html_show_sphinx = False
#: Links to files of the project that are no documents (a test follows all links), and code in `csv`.
suppress_warnings = ["myst.xref_missing", "misc.highlighting_failure"]
