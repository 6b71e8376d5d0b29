"""Addresses: pages to read and reckon by: rule books, comparisons, calculators, statistics."""

from __future__ import annotations

from django.urls import path

from banzuke.web.reference import calculator_pages as calculating
from banzuke.web.reference import rule_book_pages
from banzuke.web.reference import statistics_pages as counting

urlpatterns = [
    path("<slug:slug>/rules/", rule_book_pages.books, name="reading-rules"),
    path("<slug:slug>/rules/<slug:book>/", rule_book_pages.book, name="reading-book"),
    path("<slug:slug>/rules/<slug:one>/<slug:other>/", rule_book_pages.difference, name="reading-difference"),
    path("<slug:slug>/calculators/", calculating.calculators, name="reading-calculators"),
    path("<slug:slug>/calculators/<slug:kind>/", calculating.calculator, name="reading-calculator"),
    path("<slug:slug>/statistics/", counting.statistics, name="reading-statistics"),
    path("<slug:slug>/statistics/<slug:speed>/", counting.statistics, name="reading-statistics-speed"),
]
