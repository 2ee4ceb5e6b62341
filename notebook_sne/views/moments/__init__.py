"""Several moments of one run: as a film that plays anywhere (`gif`), and side by side for a paper (`stages`)."""
