"""Files are written whole or not at all, keep what they were to the system, and nothing else is ever replaced."""

import ast
import errno
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import notebook_sne
from notebook_sne.machine import files
from tests.standins.process import python
from tests.standins.waiting import LONG, PATIENCE
