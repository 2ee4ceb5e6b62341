"""What a notebook shows of a thing by its bare name: a table of texts, whatever they hold."""

from html.parser import HTMLParser

from notebook_sne.engine.objects.repr_html import escape, table_html

NASTY = "</td><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>\0\ud800$x$"


class Parts(HTMLParser):
    """The elements of a text of HTML, and what it says."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.attributes, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        self.attributes.append(dict(attributes))

    def handle_data(self, data):
        self.texts.append(data)


def test_a_table_has_a_caption_and_heads_of_columns_and_rows():
    parts = Parts(
        table_html("Two words", ["word", "share", "n"], [("bank", 0.123456, 3), ("can", 1.0, 14)], 500, "see all")
    )
    assert parts.elements.count("caption") == 1 and parts.elements.count("tr") == 3
    scopes = [attributes.get("scope") for attributes in parts.attributes if "scope" in attributes]
    assert scopes == ["col"] * 3 + ["row"] * 2
    assert parts.texts == [
        "Two words", "word", "share", "n", "bank", "0.1235", "3", "can", "1", "14", "2 of 500 rows; see all",
    ]  # fmt: skip


def test_a_table_that_is_whole_has_no_note():
    assert "rows" not in table_html("One", ["word"], [("bank",)], 1, "see all")


def test_texts_of_others_are_texts():
    shown = table_html(NASTY, [NASTY], [(NASTY, NASTY)], 3, NASTY)
    parts = Parts(shown)
    assert set(parts.elements) == {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
    assert parts.attributes[0] == {"class": "mathjax_ignore"}  # dollars are no formula
    assert shown.encode("utf-8") and "\0" not in shown and escape(NASTY) in shown
