"""A class with real browsers: a lecturer's JupyterLab and screen, and phones at 390 pixels."""

import re

import pytest

import notebook_sne as ns
from notebook_sne.browser.teaching.question import Question
from notebook_sne.browser.teaching.room import Room
from notebook_sne.browser.teaching.server import Server
from tests.browser.pages import PHONE, View, errors_in, stroke, until

pytestmark = pytest.mark.browser
CHOICE = Question(
    "What does <b>its</b> cost do?", ["it falls evenly", "it falls fast, then slower", "it waits, then falls"]
)
NUMBER = Question("How many digits lie beside another digit?", bounds=[0, 100], unit="%")


@pytest.fixture
def open_phone(browser):
    opened = []

    def open_one(address, **how):
        context = browser.new_context(**(PHONE | how))
        page = context.new_page()
        errors = errors_in(page)
        page.goto(address)
        opened.append((context, errors))
        return page

    yield open_one
    for context, errors in opened:
        context.close()
        assert not errors


@pytest.fixture
def room():
    made = Room("Lecture 3", [CHOICE, NUMBER])
    server = Server(made)
    from notebook_sne.browser.teaching.address import address_of

    made.server, made.address = server, address_of(made, server.port, False)
    server.texts.address = made.address
    yield made
    server.close()


def press(page, control):
    page.locator(f'[data-control="{control}"]').first.click()


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.landing
def test_a_vote_on_phone_and_screen(room, open_phone):
    phone = open_phone(room.address["join"])
    other = open_phone(room.address["join"], viewport={"width": 320, "height": 568})
    screen = open_phone(room.address["screen"], viewport={"width": 1280, "height": 720}, is_mobile=False)
    phone.wait_for_selector("text=You are in")
    until(screen, lambda: "2" in screen.locator("[data-part=counted]").inner_text())
    assert room.key not in screen.url, "the class sees the address bar"
    press(screen, "next")
    for page in (phone, other):
        page.wait_for_selector("text=What does <b>its</b> cost do?")
        assert page.locator('[data-control="send"]').is_disabled(), "nothing is sent by a slip"
        assert fits(page)
    phone.locator("label").nth(1).tap()
    press(phone, "send")
    phone.wait_for_selector("text=Look at the screen")
    until(screen, lambda: "1 of 2" in screen.locator("[data-part=counted]").inner_text())
    assert not screen.locator(".nsne-bar").count(), "nobody follows the crowd"
    press(phone, "change")
    assert phone.locator("input:checked").count() == 1
    phone.locator("label").nth(0).tap()
    press(phone, "send")
    other.locator("label").nth(2).tap()
    press(other, "send")
    until(screen, lambda: "2 of 2" in screen.locator("[data-part=counted]").inner_text())
    press(screen, "show")
    screen.wait_for_selector(".nsne-bar")
    assert screen.locator(".nsne-count").all_inner_texts() == ["1", "0", "1"]
    phone.wait_for_selector("text=The vote is closed")

    press(screen, "again")
    phone.locator("label").nth(2).tap()
    press(phone, "send")
    until(screen, lambda: "1 of 2" in screen.locator("[data-part=counted]").inner_text())
    press(screen, "show")
    press(screen, "pick")
    screen.locator('[data-control="truth"]').nth(2).click()
    screen.wait_for_selector("[data-truth]")
    assert screen.locator("[data-part=title]").text_content() == "it waits, then falls"
    assert screen.locator("span.nsne-before").count() == 3, "the first vote is a line on each bar"
    assert phone.locator("[data-part=found]").inner_text() == "Found: it waits, then falls"
    assert fits(screen)
    assert screen.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")


def test_a_number_by_phone_and_by_codes(room, open_phone):
    phone = open_phone(room.address["join"])
    screen = open_phone(room.address["screen"], viewport={"width": 1280, "height": 720}, is_mobile=False)
    screen.wait_for_selector('[data-control="ask-1"]')
    press(screen, "ask-1")
    field = phone.locator('[data-control="field"]')
    field.fill("250")
    field.press("Enter")
    press(phone, "send")
    phone.wait_for_selector("text=100%")
    press(screen, "codes")
    typed = screen.locator('[data-control="code-field"]')
    typed.fill("S6DJ s6qe ZZZZ")  # 20 and 21%
    press(screen, "codes-add")
    until(screen, lambda: "ZZZZ" in screen.locator("[data-part=note]").inner_text())
    assert typed.input_value() == "ZZZZ", "what is wrong stays to be mended"
    press(screen, "codes-back")
    press(screen, "show")
    screen.wait_for_selector("rect.nsne-bar", state="attached")
    until(screen, lambda: "3 of 3" in screen.locator("[data-part=counted]").inner_text())


def test_a_phone_comes_back_by_itself(room, open_phone):
    phone = open_phone(room.address["join"])
    phone.wait_for_selector("text=You are number 1")
    room.do("ask", n=0)
    phone.locator("label").nth(0).tap()
    press(phone, "send")
    phone.wait_for_selector("text=Look at the screen")
    phone.context.set_offline(True)
    for line in list(room.server.lines):
        room.server.loop.call_soon_threadsafe(line.close)
    phone.wait_for_selector("text=No connection")
    room.do("again")
    phone.context.set_offline(False)
    phone.wait_for_selector('[data-control="send"]')
    assert room.present == 1
    assert room.facts_for(next(iter(room.phones.values())))["number"] == 1


@pytest.fixture
def followed(open_phone):
    digits = ns.datasets.load_digits()
    X, labels = digits.X[::9], digits.labels[::9]
    player = ns.watch(ns.TSNE(perplexity=10, random_state=0), X, labels=labels, autoplay=False, pace=30, title="Digits")
    player.run.wait()
    classroom = ns.classroom("Lecture 3")
    yield classroom, player
    classroom.close()
    player.discard()


def test_phones_follow_a_map_take_the_knob_and_go_on_alone(followed, open_phone):
    classroom, player = followed
    phone, other = (open_phone(classroom.address["join"]) for _ in range(2))
    phone.wait_for_selector("text=You are in")
    classroom.follow(player)
    view = View(phone, phone.locator(".nsne-player"))
    view.root.wait_for()
    assert not other.locator("text=No connection").is_visible()
    player.run.play()
    view.until(lambda v: int(v.read("iteration") or 0) > 20)
    view.until(lambda v: int(v.read("frames") or 0) > 5)
    assert fits(phone)
    slider = phone.locator('[data-control="main-perplexity"]').first
    assert slider.is_disabled(), "it is for looking"
    press(phone, "hand")
    until(phone, lambda: classroom.room.facts()["hands"] == 1)
    classroom.room.do("give")
    phone.wait_for_selector("text=Give the knob back")
    until(phone, lambda: slider.is_enabled())
    slider.focus()
    slider.press("ArrowLeft")
    until(phone, lambda: "perplexity" in player.run.knobs.turned())
    press(phone, "hand")
    until(phone, lambda: classroom.room.holder is None)

    press(other, "alone")
    alone = other.frame_locator("iframe").locator(".nsne-player")
    alone.wait_for()
    until(other, lambda: int(alone.get_attribute("data-iteration") or 0) > 0)
    press(other, "back")
    other.locator("main .nsne-player").wait_for()
    classroom.follow(None)
    other.wait_for_selector("text=You are in")


def test_a_class_draws_and_all_of_it_lands_on_one_map(followed, open_phone):
    classroom, _ = followed
    digits = ns.datasets.load_digits().select(slice(0, 300))
    drawing = ns.draw(ns.SNE(perplexity=10, max_iter=50, random_state=0).fit(digits.X), digits.images, digits.labels)
    phone = open_phone(classroom.address["join"])
    phone.wait_for_selector("text=You are in")
    screen = open_phone(classroom.screen, viewport={"width": 1280, "height": 720}, is_mobile=False)
    classroom.draw(drawing)
    screen.wait_for_selector("h1:text-is('Draw on your phone')")
    assert screen.locator(".nsne-qr").is_visible() and fits(screen), "who comes late can join"
    until(screen, lambda: screen.locator("[data-part=counted]").inner_text() == "1 here, 0 drawings")
    field = phone.frame_locator("iframe").locator('[data-control="field"]')
    phone.frame_locator("iframe").locator("text=Draw in the square.").wait_for()
    assert phone.locator('[data-control="send"]').is_disabled(), "there is nothing to send"
    stroke(phone, field, (0.25, 0.15), (0.75, 0.15), (0.45, 0.9))
    until(phone, lambda: phone.locator('[data-control="send"]').is_enabled())
    assert not classroom.room.drawings, "nothing is sent by a slip"
    press(phone, "send")
    phone.wait_for_selector("text=It's on the map.")
    assert fits(phone)
    until(phone, lambda: len(drawing.drawings) == 64 and max(drawing.drawings) == 16)
    until(screen, lambda: screen.locator("[data-part=counted]").inner_text() == "1 here, 1 drawing")
    classroom.draw(None)
    phone.wait_for_selector("text=You are in")
    screen.wait_for_selector("h1:text-is('Lecture 3')")


ROOM = "import notebook_sne as ns\nroom = ns.classroom('Lecture 3'); print(room.address['join']); room"
ASK = "guess = ns.predict('Does it grow?', ['it grows', 'it shrinks']); guess"


def test_a_lecturer_asks_from_a_notebook(open_notebook, lab, open_phone):
    notebook = open_notebook(lab, [ROOM, ASK, "guess.reveal('it grows')", "room.close()"], run=2)
    desk = notebook.cell(0).locator(".nsne-desk")
    desk.wait_for()
    join = re.search(r"http://\S+", notebook.cell(0).inner_text())[0]
    phone = open_phone(join)
    phone.wait_for_selector("text=You are in")
    assert notebook.cell(0).locator("text=A still picture").is_hidden()
    until(notebook.page, lambda: "1 here" in desk.locator("[data-part=here]").inner_text())
    cell = notebook.cell(1)
    cell.locator('[data-control="ask"]').click()
    phone.locator("label").nth(1).tap()
    press(phone, "send")
    until(notebook.page, lambda: "1 of 1" in cell.locator("[role=status]").last.inner_text())
    cell.locator('[data-control="show"]').click()
    cell.locator(".nsne-bar").nth(1).wait_for()
    assert cell.locator(".nsne-count").all_inner_texts() == ["0", "1"]
    notebook.run(2)
    cell.locator(".nsne-votes [data-truth]").wait_for()
    assert phone.locator("[data-part=found]").inner_text() == "Found: it grows"
    assert "it grows" in notebook.cell(2).locator(".jp-OutputArea-output").inner_text()
    notebook.run(3)
    phone.wait_for_selector("text=The class is over")
    until(notebook.page, lambda: desk.get_attribute("data-ended") == "true")
