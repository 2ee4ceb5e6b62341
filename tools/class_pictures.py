"""Make the pictures of the guide's page on a class: ``python -m tools.class_pictures``.

It needs playwright and a Chromium.
A class of thirty votes on lecture 3, the question and the result on the screen, a phone before and after its vote, and
a phone that follows a map.
"""

import random
import shutil
from pathlib import Path

from PIL import Image

import notebook_sne as ns
from notebook_sne.browser.teaching.address import join_address, picture_of
from notebook_sne.course.questions import polls_of

PLACE = Path(__file__).parents[1] / "docs" / "_static" / "class"
LECTURE = "03-how-does-a-map-arrange-itself.ipynb"
PHONE = {"viewport": {"width": 390, "height": 700}, "has_touch": True, "is_mobile": True}
COLORS = 64  # of a picture: flat ground and letters


def keep(page, name):
    """Take a picture of a page, with few colors, which makes it a third as large."""
    path = PLACE / f"{name}.png"
    page.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(COLORS).save(path, optimize=True)


def main():
    """Hold a class, and look at it."""
    from playwright.sync_api import sync_playwright

    PLACE.mkdir(exist_ok=True)
    classroom = ns.classroom("How does a map arrange itself?")
    room, join = classroom.room, classroom.address["join"]
    shown = join_address("192.168.1.20", classroom.server.port, room.code)  # as of a network at home
    words = {"join": shown, "short": shown.removeprefix("http://"), "picture": picture_of(shown), "lan": True}
    classroom.server.texts.address |= words
    room.polls += polls_of(LECTURE)
    others = [room.join(f"a token of phone {k:4d}") for k in range(33)]
    choose = random.Random(0)
    digits = ns.datasets.load_digits()
    player = ns.watch(ns.SNE(random_state=0), digits, pace=30, autoplay=False, title="Digits")
    with sync_playwright() as program:
        where = shutil.which("chromium") or shutil.which("google-chrome")
        browser = program.chromium.launch(executable_path=where, args=["--no-sandbox"])
        phone = browser.new_context(**PHONE).new_page()
        screen = browser.new_page(viewport={"width": 1280, "height": 720})
        phone.goto(join)
        screen.goto(classroom.screen)
        screen.locator('[data-control="next"]').click()
        phone.locator("label").nth(1).tap()
        keep(phone, "phone-question")
        phone.locator('[data-control="send"]').click()
        options = room.polls[0].question.options
        for vote, weights in ((1, (6, 16, 6)), (2, (3, 8, 22))):
            for one in others[: 28 if vote == 1 else 33]:
                room.vote(one, 0, vote, choose.choices(options, weights)[0])
            screen.wait_for_timeout(500)
            if vote == 1:
                keep(screen, "screen-question")
                room.do("show")
                room.do("again")
                phone.locator("label").nth(2).tap()
                phone.locator('[data-control="send"]').click()
        classroom.follow(player)
        player.run.step(100)
        player.run.wait()
        room.do("found", why="In the clump all distances are tiny, so for some fifteen steps almost nothing moves.")
        screen.wait_for_timeout(600)
        keep(screen, "screen-result")
        room.do("rest")
        player.run.play()
        phone.locator(".nsne-player").wait_for()
        phone.wait_for_timeout(8000)
        keep(phone, "phone-map")
        browser.close()
    classroom.close()
    player.discard()


if __name__ == "__main__":
    main()
