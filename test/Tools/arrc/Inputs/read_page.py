"""Reads the page that `arrc analyze --format=html` writes, as a browser would.

    read_page.py PAGE

Every element that is opened is closed, and what the page says is printed.
"""
import html.parser
import re
import sys

# The elements that HTML lets stand open.
OPEN = {"meta", "br", "li", "td", "th", "tr", "html", "rect", "polyline", "circle", "p"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.stack, self.lines, self.line, self.cell = [], {}, None, None
        self.warps, self.levels, self.links = [], [], 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for name in ("src", "href"):
            self.links += name in attributes and not attributes[name].startswith("#")
        if tag not in OPEN:
            self.stack.append(tag)
        if tag == "tr":
            match = re.fullmatch(r"f0-(\d+)", attributes.get("id", ""))
            self.line = int(match[1]) if match else None
        if tag == "td":
            self.cell = attributes.get("class")
        if tag == "svg" and attributes.get("class") == "warp":
            self.warps.append(0)
        if tag == "rect":
            self.warps[-1] += 1

    def handle_endtag(self, tag):
        if tag in OPEN:
            return
        assert self.stack and self.stack[-1] == tag, f"</{tag}> closes {self.stack[-1:]}"
        self.stack.pop()

    def handle_data(self, data):
        if self.line:
            cells = self.lines.setdefault(self.line, {})
            cells[self.cell] = cells.get(self.cell, "") + data
        if self.stack and self.stack[-1] == "summary":
            self.levels.append(data)


page = Page()
page.feed(open(sys.argv[1]).read())
assert not page.stack, page.stack
for line, cells in page.lines.items():
    if cells.get("m", "").strip():
        print(f"line {line}: {cells['m']}")
print("squares of a warp:", max(page.warps))
print("levels:", *page.levels[-4:])
print("escaped:", page.lines[1]["c"])
print("links elsewhere:", page.links)
