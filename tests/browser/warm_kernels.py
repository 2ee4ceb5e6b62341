"""Kernels of the browser tests, forked from one process that has imported what each of them would import for 3 s.

    python -m tests.browser.warm_kernels                     the process that forks; its input is a socket that listens
    python -S warm_kernels.py ADDRESS CONNECTION_FILE        a kernel, as Jupyter starts it

What Jupyter starts asks for a kernel over a socket, hands on the signals that it is sent, and ends with the kernel; the
kernel ends with it. Nothing has been computed before the fork, no thread of the package's been started and no compiled
code been loaded, so that a kernel finds all as in a fresh process but for modules.
"""

import array
import gc
import importlib
import json
import os
import random
import signal
import socket
import sys
import threading

# All of Jupyter's side, and what a fit, a figure and a widget import when they are asked for.
IMPORTED = ("ipykernel.kernelapp", "sklearn.decomposition", "sklearn.neighbors", "bokeh.plotting", "anywidget")
NAMES = ("SNE", "TSNE", "watch", "compare", "explore", "replay", "views", "datasets")  # of notebook_sne


def serve():
    """Import, then fork a kernel whenever one is asked for, until the process ends that started this one."""
    with socket.socket(fileno=0) as ear:
        for name in IMPORTED:
            importlib.import_module(name)
        for name in NAMES:
            getattr(importlib.import_module("notebook_sne"), name)
        gc.freeze()  # what is never freed is not copied for each kernel
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # kernels that have ended leave nothing behind
        parent = os.getppid()
        ear.settimeout(1.0)
        while os.getppid() == parent:
            try:
                asking, _ = ear.accept()
            except TimeoutError:
                continue
            with asking:
                if os.fork() == 0:
                    ear.detach()  # what is asked for has an input of its own
                    asking.setblocking(True)
                    become(asking)
                    return


def become(asking):
    """Be the kernel that was asked for, with the streams, folder and variables of the process that asks."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    told, streams, _, _ = socket.recv_fds(asking, 1 << 20, 3)
    while not told.endswith(b"\n"):
        told += asking.recv(1 << 20)
    told = json.loads(told)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    # Jupyter tells kernels whose children they are, so that they end with it: this one watches the socket.
    os.environ.update({name: value for name, value in told["variables"].items() if name != "JPY_PARENT_PID"})
    os.chdir(told["folder"])
    del sys.path[0]  # the folder of the process that forks; a kernel adds its own
    sys.argv = ["ipykernel_launcher", "-f", told["file"]]
    random.seed()
    asking.sendall(f"{os.getpid()}\n".encode())

    def watch():
        asking.recv(1)  # nothing comes but the end
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()
    from ipykernel.kernelapp import IPKernelApp

    IPKernelApp.launch_instance()


def ask(address, file):
    """Ask for a kernel, hand on signals to it, and end with it."""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(address)
        told = json.dumps({"file": file, "folder": os.getcwd(), "variables": dict(os.environ)}) + "\n"
        streams = array.array("i", [0, 1, 2]).tobytes()
        asking.sendmsg([told.encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
        kernel = int(asking.recv(100))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: os.kill(kernel, number))
        while asking.recv(1):
            pass


if __name__ == "__main__":
    ask(*sys.argv[1:]) if len(sys.argv) == 3 else serve()
