"""What a browser shows: the front end, widgets, pages, and a class with its server."""
