#!/usr/bin/env python3
"""Figures of the source: how large its parts are, and what refers to what.

    tools/figures/figures.py [ROOT]

Counted are the hand-written C# files of src/ and driver/ (tests/ and tools/ for their share alone). Lengths are in lines. A function is a member
with a block body, from its signature to its closing brace; those with an expression body count as one line. A file refers to another when it
names one of its types and sees its namespace; a folder of the analysis refers to another when one of its files does. Cycles are strongly connected components.
"""
import os
import re
import statistics
import sys

OLD_WORDS = ["Ledger", "Book", "Account", "Tally", "Shelf", "Desk", "Ribbon", "Portion", "Holder", "Crest", "Alike", "Lateness", "LesserFill", "Least", "Most"]
MAX_FIELDS = 8


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def sources(root, top):
    for folder, folders, files in os.walk(os.path.join(root, top)):
        folders[:] = [name for name in folders if name not in ("obj", "bin", "node_modules", "Generated", "artifacts")]
        for name in files:
            if name.endswith(".cs"):
                yield os.path.join(folder, name)


def is_comment(line):
    return line.lstrip().startswith("//")


def code_of(text):
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    return re.sub(r"//[^\n]*", "", text)


def function_lengths(text):
    """Lengths of members with a block body; members begin at one indentation below their type."""
    lengths = []
    lines = text.split("\n")
    for index, line in enumerate(lines):
        opening = re.match(r"^( {4}| {8})\{$", line)
        if not opening or index == 0:
            continue
        start = index - 1
        while start > 0 and lines[start].startswith(opening.group(1) + " "):
            start -= 1
        header = " ".join(lines[start:index])
        if "(" not in header or re.search(r"\b(class|struct|interface|enum|record|new)\b", header.split("(")[0]) or " = " in header.split("(")[0]:
            continue
        end = next((k for k in range(index, len(lines)) if lines[k].rstrip(";,)") == opening.group(1) + "}"), index)
        lengths.append(end - start + 1)
    lengths += [1] * len(re.findall(r"^ {4}[^\s/\[{}=][^={]*\)(?: where [^\n]*)? =>", text, re.M))
    return lengths


def wide_structs(text):
    """Structs with more public fields than allowed: of records, positional members count as none, since they are properties."""
    for match in re.finditer(r"^( *)(?:public |internal |readonly |ref |unsafe |partial )*struct (\w+)[^\n]*\n(?:\1 [^\n]*\n)*\1\{\n(.*?)^\1\}", text, re.M | re.S):
        indent = match.group(1) + "    "
        fields = re.findall(rf"^{indent}public (?!const|static|override|event)(?:readonly |required )?[\w<>\[\]?.,* ]+? \w+(?: = [^;]*)?;", match.group(3), re.M)
        if len(fields) > MAX_FIELDS:
            yield match.group(2), len(fields)


def components(graph):
    """Strongly connected components of more than one node (Tarjan)."""
    index, low, stack, on, found, counter = {}, {}, [], set(), [], [0]

    def visit(start):
        work = [(start, iter(sorted(graph[start])))]
        index[start] = low[start] = counter[0]
        counter[0] += 1
        stack.append(start)
        on.add(start)
        while work:
            node, edges = work[-1]
            advanced = False
            for target in edges:
                if target not in index:
                    index[target] = low[target] = counter[0]
                    counter[0] += 1
                    stack.append(target)
                    on.add(target)
                    work.append((target, iter(sorted(graph[target]))))
                    advanced = True
                    break
                if target in on:
                    low[node] = min(low[node], index[target])
            if advanced:
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == index[node]:
                part = []
                while True:
                    member = stack.pop()
                    on.discard(member)
                    part.append(member)
                    if member == node:
                        break
                if len(part) > 1:
                    found.append(sorted(part))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def references(files, texts):
    declared = {}
    for path in files:
        for name in re.findall(r"^(?:public |internal |static |sealed |abstract |readonly |unsafe |partial |ref )*(?:class|struct|enum|interface|record(?: struct| class)?) (\w+)", texts[path], re.M):
            declared.setdefault(name, set()).add(path)
    spaces = {path: re.search(r"^namespace ([\w.]+);", texts[path], re.M) for path in files}
    spaces = {path: match.group(1) if match else "" for path, match in spaces.items()}
    graph = {path: set() for path in files}
    for path in files:
        own = spaces[path].split(".")
        seen = {".".join(own[:length]) for length in range(1, len(own) + 1)} | set(re.findall(r"^using ([\w.]+);", texts[path], re.M))
        for name in set(re.findall(r"(?<![.\w])[A-Z]\w+\b(?! =[^>=])(?! [{;])", code_of(texts[path]).replace("ReadAtLeast", ""))):
            owners = {owner for owner in declared.get(name, ()) if spaces[owner] in seen}
            if len(owners) == 1:
                graph[path] |= owners - {path}
    return graph


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "..")
    files = sorted(path for top in ("src", "driver") for path in sources(root, top))
    texts = {path: read(path) for path in files}
    lines = {path: texts[path].count("\n") for path in files}
    functions = [length for path in files for length in function_lengths(texts[path])]
    folders = {}
    for path in files:
        folders.setdefault(os.path.dirname(path), []).append(path)
    comments = sum(is_comment(line) for path in files for line in texts[path].split("\n"))
    tests = sum(read(path).count("\n") for path in sources(root, "tests"))
    total = sum(lines.values())
    words = {word: sum(len(re.findall(rf"(?:\b|(?<=[a-z_])){word}(?=[A-Z\b]|\b)", code_of(texts[path]).replace("ReadAtLeast", ""))) for path in files) for word in OLD_WORDS}
    analysis = os.path.join(root, "src", "TcpDiag.Analysis")
    graph = references(files, texts)

    def folder_of(path):
        return os.path.relpath(path, analysis).split(os.sep)[0] if path.startswith(analysis + os.sep) else None

    parts = {}
    for path, targets in graph.items():
        own = folder_of(path)
        if own and not own.endswith(".cs"):
            parts.setdefault(own, set()).update(other for other in map(folder_of, targets) if other and other != own and not other.endswith(".cs"))
    for targets in list(parts.values()):
        for other in targets:
            parts.setdefault(other, set())

    cycles = components(graph)
    folder_cycles = components(parts)
    wide = [(name, count) for path in files for name, count in wide_structs(texts[path])]
    long_lines = sum(len(line) > 160 for path in files for line in texts[path].split("\n"))
    print(f"source files          {len(files)} ({sum(1 for n in lines.values() if n <= 25)} of at most 25 lines)")
    print(f"lines                 {total}; a file: median {int(statistics.median(lines.values()))}, longest {max(lines.values())}")
    print(f"functions             {len(functions)}; median {int(statistics.median(functions))}, p90 {quantile(functions, 0.9)}, longest {max(functions)}")
    print(f"folders               {len(folders)}; largest {max(len(names) for names in folders.values())} files")
    print(f"cycles between files  {len(cycles)}, the largest through {max(map(len, cycles), default=0)}")
    print(f"cycles between folders of the analysis  {len(folder_cycles)}" + "".join(f"\n    {' '.join(part)}" for part in folder_cycles))
    for folder, targets in sorted(parts.items()):
        print(f"    {folder} -> {' '.join(sorted(targets)) or '-'}")
    print(f"structs of more than {MAX_FIELDS} public fields  {len(wide)}" + "".join(f"\n    {name} {count}" for name, count in wide))
    print(f"words of the old vocabulary  {sum(words.values())} " + " ".join(f"{word} {count}" for word, count in words.items() if count))
    print(f"lines over 160 columns  {long_lines}")
    print(f"comment share         {100 * comments / total:.1f} %")
    print(f"tests : source        {tests / total:.2f}")


if __name__ == "__main__":
    main()
