"""The installation's own settings: one row, made when it is first asked for."""

from django.db import transaction

from banzuke.database.models import OfficeSettings
from banzuke.office.journal import Actor, note

#: Settings that the journal repeats.
OPEN = ("late_hours", "licence")


def office_settings() -> OfficeSettings:
    """The settings in force."""
    return OfficeSettings.objects.first() or OfficeSettings()


def change_settings(changed: OfficeSettings, actor: Actor) -> None:
    """Put changed settings in force.

    The journal says which were changed, and the new values of those in `OPEN`.
    """
    with transaction.atomic():
        before = OfficeSettings.objects.select_for_update().first()
        changed.pk = before.pk if before else None
        changed.save()
        before = before or OfficeSettings()
        names = [field.name for field in OfficeSettings._meta.concrete_fields if not field.primary_key]  # noqa: SLF001  # its documented interface
        differ = [name for name in names if getattr(before, name) != getattr(changed, name)]
        shown = {name: getattr(changed, name) for name in differ if name in OPEN}
        note(actor, "office-settings", changed=differ, **shown)
