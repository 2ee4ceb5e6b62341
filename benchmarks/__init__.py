"""Numbers measured by hand: speed beside peers, and the papers' experiments over seeds. Not part of the tests."""
