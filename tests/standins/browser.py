"""What stands where the browser would be."""

from notebook_sne.widgets.player import Player


class Browser:
    """Stands where the browser would be: keeps what was sent, and acknowledges frames unless `answers` is False."""

    def __init__(self, monkeypatch):
        self.sent, self.answers, self.players = [], True, []
        monkeypatch.setattr(Player, "send", self.receive)
        self.monkeypatch = monkeypatch

    def receive(self, content, buffers=None):
        self.sent.append((content, buffers))
        if content["kind"] == "frame" and self.answers:
            for player in self.players:
                player._handle_message(player, {"kind": "ack", "seq": content["seq"]}, [])

    def show(self, player):
        self.players.append(player)
        player._handle_message(player, {"kind": "hello"}, [])
        return player

    def frames(self):
        return [content for content, _ in list(self.sent) if content["kind"] == "frame"]
