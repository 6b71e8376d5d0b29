"""Swiss-Manager's tournament files, and the national list that it imports."""
