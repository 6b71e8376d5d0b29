"""Why a rating is what it is: sentences with their clauses, calculators, rule pages, worked examples."""
