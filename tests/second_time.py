"""A test in a browser or a kernel that fails is asked once more; what passes only then is said, and counted.

Such a test stands on a dozen processes of others. If each of 154 fails once in 300 runs, two runs of five fail. So each
has a second time, on a fresh page of fresh programs. A test that fails twice fails. One that passes at the second time
is printed as ``SECOND TIME name: reason``, and more than `MOST` of them fail the run: then it is no chance. All other
tests have one time.

A test that needed its second time twice within a week is written into ``unsteady.txt``. There it runs, and is printed
as ``UNSTEADY`` where it fails, but fails nothing. At a release this list is empty (tests/test_release.py).
"""

from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

KINDS = ("browser", "notebooks")  # the marks of tests that have a second time
MOST = 3
LIST = Path(__file__).with_name("unsteady.txt")


def unsteady():
    """Return the names on the list: a line each, without those that begin with #."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


class SecondTime:
    """The plugin, one in each process; with workers, theirs tell that of the whole run."""

    def __init__(self):
        self.again, self.passed_over = [], []  # [name, reason]
        self.listed = set(unsteady())

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        if not any(item.get_closest_marker(kind) for kind in KINDS):
            return None
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if (reason := reason_of(reports)) is not None:
            # What tests share is made anew as well: a page, a server or a browser may be what failed.
            item.session._setupstate.teardown_exact(None)
            item._initrequest()
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
            if reason_of(reports) is None:
                self.again.append([item.nodeid, reason])
            else:
                item.session._setupstate.teardown_exact(None)  # nothing of it for the next test, either
            if item.nodeid in self.listed and (reason := reason_of(reports)) is not None:
                self.passed_over.append([item.nodeid, reason])
                for report in reports:
                    report.outcome = "passed"
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session):
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["second times"] = [self.again, self.passed_over]
        elif len(self.again) > MOST and session.exitstatus == 0:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        again, passed_over = getattr(node, "workeroutput", {}).get("second times", ([], []))
        self.again += again
        self.passed_over += passed_over

    def pytest_terminal_summary(self, terminalreporter):
        for word, told in (("SECOND TIME", self.again), ("UNSTEADY", self.passed_over)):
            for name, reason in told:
                terminalreporter.write_line(f"{word} {name}: {reason}")
        if len(self.again) > MOST:
            terminalreporter.write_line(f"{len(self.again)} tests needed a second time, and {MOST} may: this run fails")


def reason_of(reports):
    """Return in a line what failed first, or None where nothing did."""
    for report in reports:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            return " ".join(str(crash.message if crash else report.longrepr).split())[:300]
    return None
