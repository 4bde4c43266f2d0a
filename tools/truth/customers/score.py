"""Judges an answer of troubleshoot: score.py CASE SEED EXIT-CODE ANSWER prints a line; score.py --sum RESULTS the counts of each case."""

import re
import sys
from collections import defaultdict

from cases import case_of


def first_step(answer):
    """The text of step 1, its lines joined; empty where there is none."""
    found = re.search(r"^ +1\. (.*?)(?=^ +(?:\d+\.|who:))", answer, re.DOTALL | re.MULTILINE)
    return " ".join(found.group(1).split()) if found else ""


def judge(name, seed, code, path):
    case = case_of(name, seed)
    with open(path, encoding="utf-8") as file:
        step = first_step(file.read())
    is_step_right = re.search(case.step, step) is not None if case.step else not step
    return name, seed, case.side, code, int(is_step_right), int(is_step_right and int(code) == case.side)


def main(arguments):
    if arguments[0] != "--sum":
        # One write: two may judge at once.
        sys.stdout.write("\t".join(map(str, judge(*arguments))) + "\n")
        return
    counts = defaultdict(lambda: [0, 0, 0, 0])
    with open(arguments[1], encoding="utf-8") as file:
        for line in file:
            name, _, right, code, step, both = line.split("\t")
            for i, value in enumerate((1, int(right == code), int(step), int(both))):
                counts[name][i] += value
    print(f"{'case':28} runs  side  step  both")
    for name, values in sorted(counts.items()):
        print(f"{name:28} {values[0]:4}  {values[1]:4}  {values[2]:4}  {values[3]:4}")
    totals = [sum(column) for column in zip(*counts.values())]
    print(f"{'all':28} {totals[0]:4}  {totals[1]:4}  {totals[2]:4}  {totals[3]:4}")


if __name__ == "__main__":
    main(sys.argv[1:])
