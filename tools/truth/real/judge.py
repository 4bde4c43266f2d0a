#!/usr/bin/env python3
"""Runs cases and judges what `analyze` says of each capture: judge.py PROGRAM OUT SEED… [-- CASE…] [-- PAGE.md]

Each run is captured at three points (run.py), and judged whole, from a third of its time on, and with 68 bytes of each packet. What OUT holds already is not
run again, only judged. Prints a line for each capture that is judged wrongly, and the tables, which PAGE.md gets between its markers. Two runs at a time, as
root. Needs iptables, editcap and tshark.
"""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from cases import CASES, POINTS, Case, case_of

HERE = Path(__file__).resolve().parent
KINDS = ("whole", "late", "68 bytes")
COLUMNS = [(kind, point) for kind in KINDS for point in POINTS]
JOBS = 2
ATTEMPTS = 3
TOOLS = ("ip", "iptables", "tshark", "editcap")
MARKERS = ("<!-- tools/truth/real: begin -->\n", "<!-- tools/truth/real: end -->\n")


@dataclass
class Judged:
    """What was said of one capture. first: the first finding and its severity."""

    name: str
    seed: str
    case: Case
    kind: str
    point: str
    findings: list

    @property
    def is_healthy(self):
        return not self.case.first

    @property
    def is_visible(self):
        return self.point in (self.case.late if self.kind == "late" else self.case.shows) and (self.kind != "68 bytes" or self.case.cut)

    @property
    def warnings(self):
        return [finding for finding in self.findings if finding["severity"] != "note"]

    def is_cause(self, finding):
        """Without the window scale of the SYNs, which of two windows is full need not show."""
        first = self.case.first + (self.case.late_first if self.kind == "late" else ())
        is_open = self.kind != "whole" and finding["id"] == "window-or-buffer"
        return finding["id"] in first or (is_open and any(cause in ("send-buffer-limited", "receive-window-limited") for cause in first))

    @property
    def is_named(self):
        return any(map(self.is_cause, self.findings))

    @property
    def is_right(self):
        if self.is_healthy:
            return not self.warnings
        is_nothing_false = all(self.is_cause(finding) or finding["id"] in self.case.beside for finding in self.warnings)
        if not self.is_visible:
            return is_nothing_false
        if self.case.note:
            return self.is_named and is_nothing_false
        return bool(self.findings) and self.is_cause(self.findings[0])

    @property
    def blames_buffer(self):
        """Blames a send buffer that held nothing back, more surely than not."""
        return "send-buffer-limited" not in self.case.first and any(
            finding["id"] == "send-buffer-limited" and finding["confidence"] >= 0.5 for finding in self.warnings)

    @property
    def said(self):
        return ", ".join(f"{finding['id']} {finding['severity']} {finding['secondsLost'] or 0:.2f} s" for finding in self.findings[:3]) or "nothing"


def record(program, out, name, seed, numbers):
    """Runs a case, again when the emulated path itself was late."""
    folder = out / f"{name}-{seed}"
    if (folder / "valid").exists():
        return
    number = numbers.get()
    run = ["unshare", "-mn", sys.executable, str(HERE / "run.py"), program, name, str(folder), seed, str(number)]
    try:
        for _ in range(ATTEMPTS):
            code = subprocess.run(run, timeout=180, check=False).returncode
            if code == 0:
                (folder / "valid").touch()
                return
        print(f"{name} {seed}: could not be run ({code})", file=sys.stderr)
    finally:
        numbers.put(number)


def analyze(program, trace):
    printed = subprocess.run([program, "analyze", str(trace), "--json"], capture_output=True, text=True, check=False).stdout
    return json.loads(printed) if printed.startswith("{") else {"findings": []}


def edit(trace, kind, options):
    """A changed copy beside a capture."""
    copy = trace.with_name(f"{trace.stem}-{kind.replace(' ', '-')}.pcapng")
    subprocess.run(["editcap", *options, str(trace), str(copy)], check=True, stderr=subprocess.DEVNULL)
    return copy


def start_of_late(folder):
    """A third of the time between the client's first and last packet of TCP."""
    command = ["tshark", "-r", str(folder / "client.pcapng"), "-Y", "tcp", "-T", "fields", "-e", "frame.time_epoch"]
    times = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    first, last = float(times[0]), float(times[-1])
    return first + (last - first) / 3


def judge(program, out, name, seed):
    folder = out / f"{name}-{seed}"
    if not (folder / "valid").exists():
        return []
    start = start_of_late(folder)
    judged = []
    for point in POINTS:
        trace = folder / f"{point}.pcapng"
        traces = {"whole": trace, "late": edit(trace, "late", ["-A", f"{start:.6f}"]), "68 bytes": edit(trace, "68 bytes", ["-s", "68"])}
        judged += [Judged(name, seed, case_of(name, seed), kind, point, analyze(program, traces[kind])["findings"]) for kind in KINDS]
        for kind in KINDS[1:]:
            traces[kind].unlink()
    return judged


def share(judged, holds):
    count = sum(map(holds, judged))
    return f"{100 * count / len(judged):.1f} % ({count}/{len(judged)})" if judged else "–"


def right(judged):
    return f"{sum(one.is_right for one in judged)}/{len(judged)}"


def summary(judged, kind, point):
    own = [one for one in judged if (one.kind, one.point) == (kind, point)]
    healthy = [one for one in own if one.is_healthy]
    faulty = [one for one in own if not one.is_healthy and one.is_visible]
    cells = [share(healthy, lambda one: one.is_right), share(faulty, lambda one: one.is_right), share(faulty, lambda one: one.is_named),
             share(own, lambda one: one.blames_buffer)]
    return f"| {kind}: {point} | {' | '.join(cells)} |"


def row(judged, name):
    own = [one for one in judged if one.name == name]
    cells = [right([one for one in own if (one.kind, one.point) == column]) for column in COLUMNS]
    wrong = [one for one in own if one.kind == "whole" and not one.is_right]
    instead = Counter(f"{one.findings[0]['id']} ({one.findings[0]['severity']})" if one.findings else "nothing" for one in wrong)
    said = ", ".join(f"{finding} ×{count}" for finding, count in instead.most_common())
    return f"| {'healthy: ' if own[0].is_healthy else ''}{name} | {' | '.join(cells)} | {said} |"


def tables(judged):
    names = {one.name for one in judged}
    return "\n".join([
        "| captures | healthy without a warning | faulty with the cause first | with the cause anywhere | send buffer blamed for nothing |",
        "|---|---|---|---|---|",
        *(summary(judged, *column) for column in COLUMNS),
        "", "Captures judged rightly, and what was said of whole ones instead:", "",
        f"| case | {' | '.join(f'{kind}: {point}' for kind, point in COLUMNS)} | instead |",
        "|---" * (len(COLUMNS) + 2) + "|",
        *(row(judged, name) for name in CASES if name in names)]) + "\n"


def insert(page, text):
    whole = Path(page).read_text(encoding="utf-8")
    begin, end = whole.index(MARKERS[0]) + len(MARKERS[0]), whole.index(MARKERS[1])
    Path(page).write_text(whole[:begin] + text + whole[end:], encoding="utf-8")


def main(program, out, *rest):
    if missing := [tool for tool in TOOLS if not shutil.which(tool)]:
        sys.exit(f"judge.py: not installed: {', '.join(missing)}")
    groups = " ".join(rest).split("--")
    seeds = groups[0].split()
    others = [word for group in groups[1:] for word in group.split()]
    pages = [word for word in others if word.endswith(".md")]
    names = [word for word in others if not word.endswith(".md")] or list(CASES)
    program, out = os.path.abspath(program), Path(out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    numbers = SimpleQueue()
    for number in range(1, JOBS + 1):
        numbers.put(number)
    runs = [(name, seed) for seed in seeds for name in names]
    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(lambda run: record(program, out, *run, numbers), runs))
        judged = [one for each in pool.map(lambda run: judge(program, out, *run), runs) for one in each]
    for one in judged:
        if not one.is_right or one.blames_buffer:
            print(f"{one.name} {one.seed} {one.kind}: {one.point}{'' if one.is_visible else ' (cannot show it)'}: {one.said}")
    text = f"Seeds {', '.join(seeds)}: {len(judged)} captures of {len(judged) // (len(KINDS) * len(POINTS))} runs.\n\n{tables(judged)}"
    print("\n" + text)
    for page in pages:
        insert(page, text)


if __name__ == "__main__":
    main(*sys.argv[1:])
