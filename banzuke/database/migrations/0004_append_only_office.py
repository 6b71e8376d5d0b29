"""Published lists, files and steps of reports, money and the journal stay as they are."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from banzuke.database.append_only import append_only


class Migration(migrations.Migration):
    """Triggers on every table that is a record of what was done."""

    dependencies: ClassVar = [("book", "0003_office")]
    operations: ClassVar = [
        append_only(
            *(
                "contact",
                "merge",
                "seed",
                "ratinglist",
                "listrow",
                "listfigures",
                "line",
                "working",
                "reportfile",
                "reportsaid",
            ),
            *("reportdecision", "reportstep", "sanctionstep", "invoice", "payment", "inquirystep"),
            "journalentry",
        )
    ]
