"""Banzuke's own report form, a workbook: its layout, its reader, its writer."""
