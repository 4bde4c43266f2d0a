"""Wraps the prose of Markdown pages to 160 columns: tools/docs/wrap.py PAGE…

Paragraphs and list items that have a longer line are filled anew; tables, code, headings and what programs write between two markers stay as they are.
Links and inline code are not broken.
"""

import pathlib
import re
import sys

WIDTH = 160
ATOM = re.compile(r"(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|[^\s`\[]|[`\[])+")
ITEM = re.compile(r"^(\s*)((?:[-*]|\d+\.)\s+)?")


def fill(block):
    """The lines of a paragraph or list item, filled."""
    indent, bullet = ITEM.match(block[0]).groups(default="")
    text = " ".join(line.strip() for line in [block[0][len(indent + bullet):], *block[1:]])
    lines = [indent + bullet]
    is_empty = True
    for atom in ATOM.findall(text):
        if not is_empty and len(lines[-1]) + 1 + len(atom) > WIDTH:
            lines.append(indent + " " * len(bullet))
            is_empty = True
        lines[-1] += atom if is_empty else " " + atom
        is_empty = False
    return lines


def wrap(text):
    lines, block, is_code, is_written = [], [], False, False

    def flush():
        lines.extend(fill(block) if any(len(line) > WIDTH for line in block) else block)
        block.clear()

    for line in text.split("\n"):
        is_fence = line.lstrip().startswith("```")
        is_code ^= is_fence
        is_marker = line.startswith("<!--")
        is_written = line.endswith(": begin -->") or (is_written and not line.endswith(": end -->"))
        is_indented = line.startswith("    ") and not block
        if is_code or is_fence or is_marker or is_written or is_indented or not line.strip() or line.startswith(("|", "#", "![")):
            flush()
            lines.append(line)
            continue
        if ITEM.match(line)[2] or line.startswith("**"):
            flush()
        block.append(line)
    flush()
    return "\n".join(lines)


for path in map(pathlib.Path, sys.argv[1:]):
    path.write_text(wrap(path.read_text(encoding="utf-8")), encoding="utf-8")
