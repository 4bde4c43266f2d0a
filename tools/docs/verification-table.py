"""Writes the table of docs/verification.md from the first table of each page in docs/verification.

    tools/docs/verification-table.py            writes it
    tools/docs/verification-table.py --check    writes nothing; exit code 1, with the reasons, where the table is stale, or one of
                                                these pages or the table of transitions in docs/limits.md names a test that does not exist

A page's first table has the columns "capability", "verified by" (words of KINDS below) and "against what", with the names of test classes in square brackets.
"""

import pathlib
import re
import sys

KINDS = {
    "kernel": "Linux (real)",
    "peers": "other programs",
    "traces": "traces from Windows",
    "made": "made input",
    "stand-ins": "stand-ins",
    "wine": "Wine",
    "windivert": "genuine WinDivert.dll",
    "windows-never": "on Windows",
}
HEADER = "| capability | verified by | against what |"
BEGIN, END = "<!-- tools/docs/verification-table.py: begin -->\n", "<!-- tools/docs/verification-table.py: end -->\n"
ROOT = pathlib.Path(__file__).resolve().parents[2]
INDEX = ROOT / "docs" / "verification.md"
LIMITS, TRANSITIONS = ROOT / "docs" / "limits.md", "| from | when | to | tested by |"


def rows(page):
    """The (capability, kinds, evidence) of each row of a page's first table."""
    lines = page.read_text(encoding="utf-8").split("\n")
    if HEADER not in lines:
        return
    for line in lines[lines.index(HEADER) + 2:]:
        if not line.startswith("|"):
            return
        capability, kinds, evidence = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
        kinds = kinds.split(", ")
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            sys.exit(f"{page.relative_to(ROOT)}: {capability}: expected some of {', '.join(KINDS)}, found {', '.join(unknown)}")
        yield capability, kinds, evidence


def mark(kind, kinds):
    if kind not in kinds:
        return ""
    return "never" if kind == "windows-never" else "●"


def table(pages):
    yield "| area | capability | " + " | ".join(KINDS.values()) + " |"
    yield "|---|---|" + ":-:|" * len(KINDS)
    for page in pages:
        for capability, kinds, _ in rows(page):
            yield f"| [{page.stem}](verification/{page.name}) | {capability} | " + " | ".join(mark(kind, kinds) for kind in KINDS) + " |"


def missing_tests(pages):
    """The test classes that a page names and tests/ does not have; of the transitions the methods too."""
    code = "\n".join(path.read_text(encoding="utf-8-sig") for path in (ROOT / "tests").rglob("*.cs"))
    classes = set(re.findall(r"\bclass (\w+)", code))
    for page in pages:
        for capability, _, evidence in rows(page):
            for group in re.findall(r"\[([A-Z]\w*(?:, [A-Z]\w*)*)\](?!\()", evidence):
                yield from (f"{page.relative_to(ROOT)}: {capability}: there is no test class {name}" for name in group.split(", ") if name not in classes)
    names = classes.union(re.findall(r"\bvoid (\w+)", code))
    for line in LIMITS.read_text(encoding="utf-8").split(TRANSITIONS)[1].split("\n")[2:]:
        for name in re.findall(r"\w+", line.split("|")[-2]) if line.startswith("|") else []:
            if not any(name in known for known in names):
                yield f"docs/limits.md: there is no test {name}"


def main():
    pages = sorted((ROOT / "docs" / "verification").glob("*.md"))
    text = INDEX.read_text(encoding="utf-8")
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    current = text[:begin] + "\n".join(table(pages)) + "\n" + text[end:]
    if "--check" not in sys.argv[1:]:
        INDEX.write_text(current, encoding="utf-8")
        return
    problems = list(missing_tests(pages))
    if current != text:
        problems.append("docs/verification.md: its table is not that of the pages; run tools/docs/verification-table.py")
    if problems:
        sys.exit("\n".join(problems))


main()
