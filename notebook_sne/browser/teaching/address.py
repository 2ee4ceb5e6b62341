"""Where phones find the class: an address in the room's own network, and its picture for a camera."""

from __future__ import annotations

import ipaddress
import os
import socket
from importlib.util import find_spec
from itertools import groupby
from typing import Any

from notebook_sne.browser.teaching.room import Room

__all__ = ["address_of", "behind_proxy", "join_address", "lan_address", "picture_of"]


def address_of(room: Room, port: int, lan: bool) -> dict[str, Any]:
    """Return where a class is found: `Address` in frontend/teaching/types.d.ts, and ``screen``, the lecturer's page."""
    join = join_address((lan_address() if lan else None) or "127.0.0.1", port, room.code)
    proxy = behind_proxy(port)
    own = f"{proxy}{room.code}/" if proxy else f"{join_address('127.0.0.1', port, room.code)}/"
    return {
        "join": join,
        "short": join.removeprefix("http://"),
        "picture": picture_of(join),
        "lan": lan,
        "screen": f"{own}screen#{room.key}",
    }


def lan_address() -> str | None:
    """Return this machine's address in the local network, or None if it is in none.

    The system is asked which of its addresses it would send from; nothing is sent.
    """
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((far, 9))
                own = probe.getsockname()[0]
            except OSError:
                continue
        if not ipaddress.ip_address(own).is_loopback and not ipaddress.ip_address(own).is_unspecified:
            return str(own)
    return None


def join_address(host: str, port: int, code: str) -> str:
    """Return the address that phones open."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/{code}"


def behind_proxy(port: int) -> str | None:
    """Return the path by which a Jupyter server passes on this port, or None.

    That is where jupyter-server-proxy is installed and the server says where it is, as JupyterHub and Binder do.
    """
    prefix = os.environ.get("JUPYTERHUB_SERVICE_PREFIX")
    if prefix is None or find_spec("jupyter_server_proxy") is None:
        return None
    return f"{prefix.rstrip('/')}/proxy/{port}/"


def picture_of(address: str) -> str:
    """Return a QR code as the path of an SVG in units of a square, with its side: ``"29 M0 0h7v1h-7z..."``."""
    import segno

    rows = segno.make(address, error="m", micro=False).matrix
    path = []
    for y, row in enumerate(rows):
        x = 0
        for dark, run in groupby(row):
            n = len(list(run))
            if dark:
                path.append(f"M{x} {y}h{n}v1h-{n}z")
            x += n
    return f"{len(rows)} {''.join(path)}"
