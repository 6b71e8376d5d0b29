"""What clubs owe, invoices, payments, waivers."""
