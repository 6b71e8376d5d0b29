"""Addresses: pages to read and reckon by: rule books, comparisons, calculators, statistics."""

from __future__ import annotations

from django.urls import path

from banzuke.web.reading import calculators as calculating
from banzuke.web.reading import rules
from banzuke.web.reading import statistics as counting

urlpatterns = [
    path("<slug:slug>/rules/", rules.books, name="reading-rules"),
    path("<slug:slug>/rules/<slug:book>/", rules.book, name="reading-book"),
    path("<slug:slug>/rules/<slug:one>/<slug:other>/", rules.difference, name="reading-difference"),
    path("<slug:slug>/calculators/", calculating.calculators, name="reading-calculators"),
    path("<slug:slug>/calculators/<slug:kind>/", calculating.calculator, name="reading-calculator"),
    path("<slug:slug>/statistics/", counting.statistics, name="reading-statistics"),
    path("<slug:slug>/statistics/<slug:speed>/", counting.statistics, name="reading-statistics-speed"),
]
