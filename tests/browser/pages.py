"""What a reader sees and does: notebooks, widgets in them, and pages opened from disk."""

import re
import time

from tests.standins.waiting import PATIENCE

PAINTED = """canvas => {
    const bytes = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const pixels = new Uint32Array(bytes.buffer);
    let [painted, sum] = [0, 0];
    for (let i = 0; i < pixels.length; i++) {
        if (pixels[i] !== pixels[0]) { painted++; sum = (sum * 31 + i + pixels[i]) % 1000003; }
    }
    return [painted, sum];
}"""


HOSTILE = "<img src=x onerror='window.hacked=1'>"  # a name that must be shown and not run
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def screen(width, height):
    """What a context of that size is given: a narrow one is a phone's."""
    phone = {"has_touch": True, "is_mobile": True} if width < 500 else {}
    return {"viewport": {"width": width, "height": height}, **phone}


def drag(page, start, *ways):
    """Press the mouse at a place of the page, and let go where the ways end."""
    page.mouse.move(*start)
    page.mouse.down()
    for place in ways:
        page.mouse.move(*place, steps=5)
    page.mouse.up()


def stroke(page, element, *points):
    """Drag over an element, by parts of its box."""
    box = element.bounding_box()
    drag(page, *((box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in points))


# Where a word is in a picture of an explorer, whose title tells the word under the pointer; nowhere: null.
WORD_AT = """(canvas, word) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    for (let y = 2; y < height; y += 3) for (let x = 2; x < width; x += 3) {
        canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: left + x, clientY: top + y }));
        if (canvas.title.startsWith(`${word}, `)) return { x, y };
    }
    return null;
}"""

# A cell that keeps its kernel busy until `Notebook.let_go`.
BUSY = "import pathlib, time\nwhile not pathlib.Path('go').exists(): time.sleep(0.01)"


def until(page, condition, seen=lambda: ""):
    """Wait until `condition()` holds; a failure says what `seen()` returns."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not reached in {PATIENCE:.0f} s: {seen()}")
        page.wait_for_timeout(40)


def frames(page, n=2):
    """Wait until the page has drawn n frames: it has had its turn with all that came before."""
    page.evaluate("n => new Promise(done => { const go = () => n-- ? requestAnimationFrame(go) : done(); go(); })", n)


def later(page, milliseconds):
    """Wait for a timer of the page's own: those that were due before have fired, however slow the machine is."""
    page.evaluate("span => new Promise(done => setTimeout(done, span))", milliseconds)


def silence(page):
    """Let a page's clock leap over the silence after which a live view gives its kernel up, and let the view look."""
    page.evaluate("() => { const now = performance.now.bind(performance); performance.now = () => now() + 8000; }")
    later(page, 2000)  # a view looks at the clock each second


def come_to_rest(page):
    """Wait until what moves on the page has arrived."""
    frames(page)
    page.evaluate("""() => Promise.all(document.getAnimations()
        .filter(moving => moving.playState === "running" && moving.effect.getComputedTiming().endTime < Infinity)
        .map(moving => moving.finished.catch(() => {})))""")


def errors_in(page):
    """Collect what scripts of `page` throw from now on, but for what the host's own files do among themselves.

    JupyterLab's manager of widgets may stumble over a notebook that is being left. An error of ours, or of what we
    call, has a script in its stack that is not one of the host's files.
    """
    errors = []

    def note(error):
        scripts = re.findall(r"(?:blob:|https?:)[^\s)]+", error.stack or "")
        if not scripts or any(script.startswith("blob:") or "/static/" not in script for script in scripts):
            errors.append(str(error))

    page.on("pageerror", note)
    return errors


class Notebook:
    """An open notebook: its cells, run by key as a reader runs them."""

    def __init__(self, page, jupyter, name):
        self.page, self.name, self.going = page, name, jupyter.folder / "go"
        self.going.unlink(missing_ok=True)
        jupyter.show(page, name)
        self.settle()

    def settle(self):
        self.page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", state="attached")

    def cell(self, number):
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(number)

    def prompt(self, number):
        return self.cell(number).locator(".jp-InputPrompt").inner_text().strip()

    def run(self, number, wait=True):
        """Run a cell with Control+Enter; once more if nothing began, as focus or kernel may still be settling."""
        before = self.prompt(number)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            dialog = self.page.locator("dialog.jp-Dialog")
            if dialog.count():
                asked = dialog.first.inner_text()
                if not asked.startswith("Select Kernel"):  # which a busy server asks that lists its kernels too late
                    raise AssertionError(f"the host asks: {asked!r}")
                dialog.first.locator(".jp-mod-accept").click()
                self.settle()
            editor = self.cell(number).locator(".cm-content")  # which a folded cell does not show
            (editor if editor.is_visible() else self.cell(number).locator(".jp-InputPrompt")).click()
            self.page.keyboard.press("Control+Enter")
            again = time.monotonic() + 1
            until(self.page, lambda: self.prompt(number) != before or time.monotonic() > again)  # noqa: B023
            if wait:
                self.wait_done(number)
            if self.prompt(number) not in (before, "[ ]:"):
                return
        raise AssertionError(f"cell {number} did not run: its prompt is {self.prompt(number)}")

    def start(self, number):
        """Run a cell, and come back while it runs."""
        self.run(number, wait=False)
        until(self.page, lambda: "*" in self.prompt(number))

    def let_go(self, number):
        """End the cell that keeps the kernel busy."""
        assert "*" in self.prompt(number)
        self.going.touch()
        self.wait_done(number)

    def save(self):
        """Save by key, as a reader does: again where a widget's last word came after the first time."""
        dirty = self.page.locator(".jp-mod-dirty")
        self.page.keyboard.press("Control+s")
        asked = time.monotonic()

        def saved():
            nonlocal asked
            if dirty.count() and time.monotonic() > asked + 3:  # a pace, not a bound
                self.page.keyboard.press("Control+s")
                asked = time.monotonic()
            return not dirty.count()

        until(self.page, saved, lambda: "the notebook has changes that are not saved")

    def wait_done(self, number):
        until(self.page, lambda: "*" not in self.prompt(number), lambda: f"cell {number} runs: {self.output(number)!r}")

    def output(self, number):
        """What the cell printed."""
        return "\n".join(self.cell(number).locator(".jp-OutputArea-output pre").all_inner_texts()).strip()

    def player(self, number):
        return PlayerView(self.page, self.cell(number).locator(".nsne-player"))

    def explorer(self, number):
        return ExplorerView(self.page, self.cell(number).locator(".nsne-explorer"))


class View:
    """A widget on the page, read by its data attributes and used by its control names."""

    shown = ""  # which of the controls of a name count
    few = False  # whether the controls are those that a reader finds at first, and not all

    def __init__(self, page, root):
        self.page, self.root = page, root

    def read(self, name):
        return self.root.get_attribute(f"data-{name}")

    @property
    def status(self):
        return self.read("status")

    @property
    def iteration(self):
        return int(self.read("iteration") or -1)

    def open_all(self):
        """Show all controls of a player that shows few: most tests are of what is behind its one button."""
        if self.few:
            return
        self.root.first.wait_for(state="attached")
        if self.root.count() == 1 and self.read("controls") == "few" and self.read("compact") == "false":
            self.root.locator("[data-control='more']").click()
            self.root.locator("[data-control='menu-all']").click()
            until(self.page, lambda: self.read("controls") == "all")

    def control(self, name):
        self.open_all()
        return self.root.locator(f"[data-control='{name}']{self.shown}")

    def part(self, name):
        self.open_all()
        return self.root.locator(f"[data-part='{name}']")

    def until(self, condition):
        """Wait until condition(self) holds; the failure says what was seen last."""
        until(self.page, lambda: condition(self), self.seen)

    def seen(self):
        return self.root.evaluate("root => JSON.stringify(root.dataset)")

    def search(self, text):
        self.control("search").fill(text)
        self.page.keyboard.press("Enter")

    def saved(self, kind, press=None):
        """Save as a kind of the menu, by clicks or by what presses a control; return the file's name and its bytes."""
        press = press or (lambda name: self.control(name).click())
        press("export-menu")
        with self.page.expect_download() as download:
            press(kind)
        return download.value.suggested_filename, download.value.path().read_bytes()

    def rest(self, look=None):
        """Wait until what is looked at, by default the map, stays as it is for a quarter of a second; return that."""
        seen = []

        def stays(view):
            seen.append((look or view.dots)())
            return len(seen) > 6 and all(one == seen[-1] for one in seen[-7:])

        self.until(stays)
        return seen[-1]

    def hover_something(self, low=0.0, high=1.0):
        """Move the pointer over the map, or that share of it, until the card of an object appears."""
        box = self.root.locator(".nsne-stage").bounding_box()
        for k in range(1, 400):
            x, y = (low + (high - low) * (k * factor % 1) for factor in (0.618034, 0.754878))
            self.page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])
            frames(self.page)
            if self.part("card").is_visible():
                return True
        return False

    def open_card(self, low=0.0, high=1.0):
        """Click an object, and open its card."""
        assert self.hover_something(low, high)
        self.page.mouse.down()
        self.page.mouse.up()
        self.control("open-card").click()
        return self.part("card")

    def dots(self):
        """How many pixels of the map are painted, and a number that changes when they move."""
        return tuple(self.root.locator(".nsne-stage > canvas").evaluate(PAINTED))


def word_in(card, word):
    """Where a word is in the picture of an explorer's card, or None."""
    return card.locator("canvas").evaluate(WORD_AT, word)


class PlayerView(View):
    """A player."""

    @property
    def frames(self):
        return int(self.read("frames"))

    def press(self, name):
        self.control(name).click()

    def until_status(self, *wanted):
        self.until(lambda view: view.status in wanted)


class ExplorerView(View):
    """An explorer."""

    shown = ":visible"

    def sense(self, number):
        """The card of a map: its neighbors, as they are listed."""
        return self.root.locator(f"article[data-map='{number}']")

    def neighbors(self, number):
        return self.sense(number).locator(".nsne-e-neighbors .nsne-e-word").all_inner_texts()

    def seen(self):
        return f"{super().seen()}, focus on {self.focused()}"

    def focused(self):
        return self.page.evaluate(
            "(document.activeElement.dataset.control || '') + ' ' + document.activeElement.textContent"
        )


class Opened(View):
    """A page opened from disk; every request, console message and error of it is kept."""

    shown = ":visible"

    def __init__(self, browser, path, selector, **context):
        self.context = browser.new_context(**{"viewport": {"width": 1366, "height": 768}, **context})
        self.context.set_offline(True)
        page = self.context.new_page()
        super().__init__(page, page.locator(selector))
        self.said, self.requests, self.path = [], [], path
        page.on("console", self.hear)
        page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.context.on("request", lambda request: self.requests.append(request.url))

    def hear(self, message):
        if not message.text.startswith("[bokeh"):  # which tells its version, and when it is done
            self.said.append(f"{message.type}: {message.text}")

    def open(self):
        self.page.goto(self.path.as_uri())
        self.root.wait_for()
        return self

    def seen(self):
        return f"{super().seen()}; {self.said}"

    def seek(self, frame):
        """Draw the slider of the film to a frame."""
        self.control("film").evaluate(
            "(e, at) => { e.value = at; e.dispatchEvent(new Event('input', {bubbles: true})); }", frame
        )

    def check(self):
        """Nothing was asked of any network, nothing was complained of, and nothing of the data's ran."""
        frames(self.page)
        assert [url for url in self.requests if not url.startswith(("data:", "blob:"))] == [self.path.as_uri()]
        assert not self.said, self.said
        assert self.page.evaluate("window.hacked") is None
        view = self.page.locator("#nsne-view")  # of one view alone; a lecture has pictures and bold words of its own
        assert view.locator("img, script, b, i").count() == 0
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
