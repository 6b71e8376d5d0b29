"""Django set up with the tests' settings, for programs that no pytest runs."""

import django
import office_settings  # noqa: F401 - says which settings these are

django.setup()
