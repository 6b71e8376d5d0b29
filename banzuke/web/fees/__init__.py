"""What clubs owe, invoices, payments."""
