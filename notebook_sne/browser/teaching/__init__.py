"""A class that answers on its phones: what is asked, what is counted, and the small server between.

``question`` says what answers a question, and ``codes`` writes an answer in a few letters where phones reach no server.
``polls`` counts the votes on a question, ``room`` is a class with its phones and its file; neither knows of a network.
``server`` lets phones in, by the pages of ``handlers`` and a ``line`` to each; ``address`` says where they find it, and
``pace`` how often a follower gets a picture.
"""
