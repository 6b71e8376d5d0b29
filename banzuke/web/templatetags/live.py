"""What pages print of a Go server's pool as it stands now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from banzuke.office.live import current_rules

if TYPE_CHECKING:
    from banzuke.database.models import Pool

register = template.Library()


@register.simple_tag
def is_live(pool: Pool) -> bool:
    """Whether every game of the pool is rated the moment it ends."""
    return current_rules.is_live(pool)
