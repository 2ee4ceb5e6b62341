"""Answers to a view beside frames: forces and scores while it shows them; images, neighbors, distances, the film.

Nothing here delays the run: forces that take long are computed less often, so that they take at most a twentieth of
the sending thread's time. Neighbors are searched for a few objects at a time, and scores are found as in `scores`.
"""

import time

import numpy as np

from notebook_sne.affinities.metrics import input_of
from notebook_sne.browser.frontend.film import pack_film, pins_in_view
from notebook_sne.browser.widgets.neighbors import nearest
from notebook_sne.browser.widgets.scores import Scores, refusals
from notebook_sne.browser.widgets.sender import Sender
from notebook_sne.engine.fitting.knobs import KNOBS
from notebook_sne.models import family

__all__ = ["PlayerSender", "knob_controls", "model_choices", "spring_facts"]

SPRINGS = 0.25  # least s between the forces on an object
STRONGEST = 24
MOST_IMAGES = 256  # in one message
FILM_FRAMES, FILM_BYTES = 300, 8_000_000
SAVED_FRAMES, SAVED_BYTES = 36, 300_000  # of the film in a saved notebook, and of the one that a page gets first
LEAST_FRAMES = 8  # of very many objects: fewer are no film


class PlayerSender(Sender):
    """The sender of a player: frames with the present values of the knobs, and answers."""

    def __init__(self):
        super().__init__()
        self.marks = self.springs_sent = None
        self.spring_at = -1e9
        self.controls: tuple = ()
        self.scores = Scores()

    def facts(self, player, snapshot, state):
        facts = super().facts(player, snapshot, state)
        facts["recorded_to"] = player.run._recording.recorded_to
        facts["pins"] = [] if state is None else pins_in_view(state.pins)
        facts["turned"] = sorted(player.run.knobs.turned())
        facts["present"] = {} if state is None else {name: float(value) for name, value in state.knobs.items()}
        return facts

    def changes(self, player):
        """Return the marks, if they have changed since they were sent last."""
        marks = player.run._recording.marks
        if marks is self.marks:
            return {}
        self.marks = marks
        return {"marks": [mark._asdict() for mark in marks]}

    def set_traits(self, player, snapshot, state, keep):
        controls = (player.run.model, () if state is None else tuple(state.knobs))
        if controls != self.controls:
            self.controls = controls
            with player.hold_sync():
                player.models = model_choices(player.run.model, player.run.X)
                player.knobs = [] if state is None else knob_controls(state, player.n_objects)
                player.uncolored = refusals(player.run.model, state, player.run.X)
                if player.uncolored.get(player.color):
                    player.color = player._usual_color()
        player.marks = [mark._asdict() for mark in player.run._recording.marks]
        # A notebook that is saved while the run rests keeps its film; that of a run that goes on would soon be old.
        rests = snapshot.status not in ("compiling", "running")
        ends = player._connection.closing  # with its kernel: a large message may find nobody who takes it any more
        if rests and keep and not ends and state is not None and state is not self.kept_state:
            few = LEAST_FRAMES * 4 * player.n_objects <= SAVED_BYTES
            recording = player.run._recording
            player.film = pack_film(recording, most_frames=SAVED_FRAMES, most_bytes=SAVED_BYTES) if few else b""
        elif not rests and player.film:
            player.film = b""
        super().set_traits(player, snapshot, state, keep)

    def answer(self, player, snapshot, state, wanted, now):
        if wanted.new_page is not None:
            self.springs_sent = None
            self.post_scores(player, self.scores.again(player.color))
        for start in range(0, len(wanted.images), MOST_IMAGES):
            indices = wanted.images[start : start + MOST_IMAGES]
            images = player.images_of_objects
            size = {"width": images.width, "height": images.height, "channels": 3 if images.in_color else 1}
            self.post(player, {"kind": "images", "indices": indices, **size}, [images.bytes_of(indices).tobytes()])
        for i in wanted.neighbors:
            model = player.run.model
            metric = getattr(model, "metric", "euclidean")
            near = nearest(player.run.X, input_of(model, player.run.X), i, metric=metric)
            self.post(player, {"kind": "neighbors", "index": i, "indices": near.tolist()})
        for page, query in wanted.queries.items():
            self.post(player, *player._found(page, query))
        if wanted.film == 2 or (wanted.film and not player.film):
            frames = SAVED_FRAMES // (3 if snapshot.status in ("compiling", "running") else 1)  # more come at its end
            short = frames, max(SAVED_BYTES, LEAST_FRAMES * 4 * player.n_objects)
            most, most_bytes = short if wanted.film == 1 else (FILM_FRAMES, FILM_BYTES)
            film = pack_film(player.run._recording, most_frames=most, most_bytes=most_bytes)
            self.post(player, {"kind": "film"}, [film])
        self.post_scores(player, self.scores.measured(player, wanted.distances))
        if snapshot.state is None or snapshot.status == "error" or player._connection.behind():
            return
        i = player.spring_of
        if i is not None and (state, i) != self.springs_sent and now >= self.spring_at:
            self.springs_sent = (state, i)
            self.spring_at = _after(SPRINGS, self.send_springs, player, state, i)
        rests = snapshot.status not in ("compiling", "running")
        self.post_scores(player, self.scores.due(player, state, rests, now))

    def answers_follow(self):
        return self.scores.under_way()

    def post_scores(self, player, found):
        for content, scores in found:
            self.post(player, content, [scores.tobytes()])

    def send_springs(self, player, state, i):
        try:
            forces = player.run.forces(i, state)
        except NotImplementedError:
            player.spring_of = None  # the error is shown once
            raise
        except ValueError:  # the run has just switched to another model or P: wait for its next state
            self.springs_sent = None
            return
        self.post(player, {"kind": "springs", **spring_facts(forces, state, i, player.run.model)})


def _after(interval, send, *arguments):
    """Call `send`; return when it may be called next."""
    began = time.monotonic()
    send(*arguments)
    now = time.monotonic()
    return now + max(interval, 20 * (now - began))


def spring_facts(forces, state, i, model):
    """Return what a view shows of the forces on object i: the strongest springs, and p beside q where p is largest."""
    far = np.sqrt(np.square(state.Y[0] - state.Y[0][i]).sum(axis=1))
    pull, push = forces.pull * far, forces.push * far

    def strongest(strengths):
        return [
            [int(j), float(strengths[j]), float(forces.p[j]), float(forces.q[j])]
            for j in np.argsort(-strengths, kind="stable")[:STRONGEST]
            if strengths[j] > 0
        ]

    convention = getattr(model, "_convention", "joint")
    # The likeliest neighbors, or where p are distances the nearest objects.
    order = np.argsort(forces.p if convention == "none" else -forces.p, kind="stable")
    likely = order[forces.p[order] > 0][:12]
    return {
        "of": int(i),
        "iteration": state.iteration,
        "pull": strongest(pull),
        "push": strongest(push),
        "pulls": int((pull > 0).sum()),
        "pushes": int((push > 0).sum()),
        "pull_total": float(pull.sum()),
        "push_total": float(push.sum()),
        "net": ((forces.pull - forces.push)[:, None] * (state.Y[0] - state.Y[0][i])).sum(axis=0).tolist(),
        "others": [[int(j), float(forces.p[j]), float(forces.q[j])] for j in likely],
        "convention": convention,
    }


def knob_controls(state, n_objects):
    """Return the trait `knobs`: a control for each knob that the state has, in the order of KNOBS."""
    controls = []
    for name, knob in KNOBS.items():
        if name not in state.knobs:
            continue
        value, facts = state.knobs[name] or 1e-2, knob.facts(n_objects, state.memory.get("scales"))
        low, high = facts.pop("reach") or (value / 100, value * 100)
        controls.append({"name": name, "label": name.replace("_", " "), **facts, "low": low, "high": high})
    return controls


def model_choices(model, X):
    """Return the trait `models`: the models that the run may switch to, and the papers' recipes to restart with."""
    listed = {name: family.listed(name) for name in family.relatives(model, X)}
    choices = [
        {"id": name, "label": member.label, "group": "go on", "what": member.what} for name, member in listed.items()
    ]
    choices += [
        {"id": name, "label": member.label, "group": "paper", "what": member.source}
        for name, member in listed.items()
        if member.source
    ]
    return choices
