"""What stands where the browser would be."""

from notebook_sne.browser.widgets.player import Player


class Browser:
    """Stands where the browser would be: keeps what was sent, and acknowledges frames unless `answers` is False.

    It hears only the players that it shows: one of an earlier test may still say its last words while this one runs.
    """

    def __init__(self, monkeypatch):
        self.heard, self.answers, self.players = [], True, []
        monkeypatch.setattr(Player, "send", lambda player, *message: self.receive(player, *message))
        self.monkeypatch = monkeypatch

    def receive(self, player, content, buffers=None):
        self.heard.append((player, content, buffers))
        if content["kind"] == "frame" and self.answers and player in self.players:
            player._handle_message(player, {"kind": "ack", "seq": content["seq"]}, [])

    @property
    def sent(self):
        return [(content, buffers) for player, content, buffers in list(self.heard) if player in self.players]

    def show(self, player):
        self.players.append(player)
        player._handle_message(player, {"kind": "hello"}, [])
        return player

    def frames(self):
        return [content for content, _ in self.sent if content["kind"] == "frame"]
