"""What holds for every test."""

from hypothesis import settings

# An example may take however long: how fast the machine is, and what else it does, is no property of the code.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
