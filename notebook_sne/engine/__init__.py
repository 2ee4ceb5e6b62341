"""What serves the public rooms: numbers in, states out. Which of them may import which is in tests/test_layers.py."""
