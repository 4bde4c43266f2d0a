"""Draws every text that a customer reads as pictures: 80 and 120 columns, light and dark, English and German.

    sudo tools/screens/screens.py FOLDER [CASE…]

Each text is what the program prints to a terminal of that width, and FOLDER/CASE.LANGUAGE.png shows it four times. Chromium draws. Root is needed for the
cases that record; they run in namespaces of their own.
"""

import fcntl
import html
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TCPDIAG", str(ROOT / "artifacts/bin/TcpDiag.Cli/release/tcpdiag"))
STORIES = ROOT / "tests/fixtures/stories"
TESTS = ROOT / "tests/TcpDiag.Cli.Tests"
LINE, CHARACTER, MARGIN = 18, 8.43, 14


def recorded(path):
    return lambda language, folder: ([PROGRAM, "troubleshoot", "--recorded", str(path), "--language", language], "")


def consent(answer):
    return lambda language, folder: (
        [PROGRAM, "troubleshoot", "--host", "192.0.2.7:445", "--out", f"{folder}/slow", "--language", language], answer)


def live(case):
    return lambda language, folder: (["unshare", "-mn", "sh", str(TESTS / "troubleshoot.sh"), PROGRAM, case, f"{folder}/slow", "1", language], "")


def peer(*options):
    return lambda language, folder: (
        ["env", f"language={language}", "unshare", "-mn", "sh", str(TESTS / "troubleshoot-peer.sh"), PROGRAM, f"{folder}/slow", "--peer", *options], "")


def asked(language, folder):
    return [PROGRAM, "troubleshoot", "--out", f"{folder}/slow", "--language", language], "not a host!\nexample.org:8443\nn\nn\n"


def undo(language, folder):
    return [PROGRAM, "troubleshoot", "--undo", "--language", language], ""


def none_recorded(language, folder):
    empty = pathlib.Path(folder, "empty.pcap")
    empty.write_bytes(struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1))
    return recorded(empty)(language, folder)


def unprivileged(language, folder):
    return ["setpriv", "--reuid=65534", "--clear-groups", PROGRAM, "troubleshoot", "--language", language], ""


def taken(language, folder):
    return [PROGRAM, "troubleshoot", "--yes", "--out", folder, "--language", language], ""


def nobody_listens(language, folder):
    return [PROGRAM, "troubleshoot", "--url", "http://127.0.0.1:9/", "--yes", "--limit", "10s", "--out", f"{folder}/slow", "--language", language], ""


def doctor(language, folder):
    return [PROGRAM, "doctor", "--language", language], ""


def doctor_with_problems(language, folder):
    return ["unshare", "-mn", "sh", str(TESTS / "doctor.sh"), PROGRAM, "--language", language], ""


def explain(topic):
    return lambda language, folder: ([PROGRAM, "explain", topic], "")


CASES = {
    "consent-refused": consent("n\n"),
    "no-rights": unprivileged,
    "folder-taken": taken,
    "far-end": recorded(ROOT / "src/TcpDiag.Cli/Demo/demo.pcapng"),
    "this-computer": recorded(STORIES / "s3-small-buffer-sender.pcapng"),
    "network": recorded(STORIES / "s1-not-adapting-sender.pcapng"),
    "window": recorded(STORIES / "s4-half-window-receiver.pcapng"),
    "loss": recorded(ROOT / "tests/fixtures/bulk-loss.pcapng"),
    "reset": recorded(ROOT / "tests/fixtures/reset.pcapng"),
    "nothing": recorded(STORIES / "s4-whole-window-receiver.pcapng"),
    "live-healthy": live("healthy"),
    "live-small-window": live("small-window"),
    "live-failed": live("silent-black-hole"),
    "live-refused": nobody_listens,
    "live-slow-answers": live("slow-answers"),
    "live-queue": live("bufferbloat"),
    "live-apply": live("apply"),
    "live-apply-useless": live("apply-useless"),
    "live-peer": peer("--code", "new"),
    "live-peer-refuses": peer("wrong-token"),
    "live-peer-goes-away": peer("goes-away"),
    "asked": asked,
    "undo-nothing": undo,
    "none-recorded": none_recorded,
    "doctor": doctor,
    "doctor-problems": doctor_with_problems,
    "explain": explain("receive-window-limited"),
}


def run(command, answer, columns):
    """What a terminal of that width gets."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(TERM="xterm-256color")
        os.environ.pop("NO_COLOR", None)
        os.execvp(command[0], command)
    answers = answer.splitlines(keepends=True)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    output = b""
    try:
        while piece := os.read(terminal, 65536):
            output += piece
            if answers and output.endswith((b"] ", b": ")):
                os.write(terminal, answers.pop(0).encode())
    except OSError:
        pass  # the other end has closed it
    os.waitpid(process, 0)
    text = re.sub(r"\x1b[=>]|\r(?=\n)", "", output.decode())
    return re.sub(r"[^\n]*\r", "", text)  # what was overwritten


def drawn(text):
    """The text with what its escapes say of weight and colour."""
    shown, style = "", ""
    for piece in re.split(r"(\x1b\[[0-9;?]*[A-Za-z])", text):
        if not piece.startswith("\x1b"):
            shown += f'<span class="{style}">{html.escape(piece)}</span>'
        elif piece.endswith("m"):
            codes = piece[2:-1].split(";")
            style = " ".join(name for code, name in (("1", "bold"), ("9", "red"), ("31", "red"), ("91", "red")) if code in codes)
    return shown


def page(texts):
    panels = "".join(
        f'<pre class="{theme}" style="width:{columns * CHARACTER + 2 * MARGIN}px">{drawn(text)}</pre>' for columns, text in texts for theme in ("light", "dark"))
    style = f"""body{{margin:0;background:#888;display:flex;flex-wrap:wrap;gap:10px;padding:10px;width:2150px}}
        pre{{margin:0;padding:{MARGIN}px;box-sizing:border-box;font:14px/{LINE}px 'DejaVu Sans Mono',monospace;white-space:pre-wrap;word-break:break-all}}
        .bold{{font-weight:bold}} .light{{background:#fff;color:#222}} .dark{{background:#16191d;color:#d7dce2}} .light .red{{color:#b3261e}} .dark .red{{color:#ff8a80}}"""
    return f'<!doctype html><meta charset="utf-8"><style>{style}</style>{panels}'


def draw(texts, picture, scratch):
    source = pathlib.Path(scratch, "screen.html")
    source.write_text(page(texts))
    height = sum(LINE * (text.count("\n") + 2) + 2 * MARGIN + 10 for _, text in texts) + 20
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size=2170,{height}", f"--screenshot={picture}",
         f"file://{source}"], check=True, stderr=subprocess.DEVNULL)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or CASES:
        for language in ("en", "de"):
            texts = []
            for columns in (80, 120):
                with tempfile.TemporaryDirectory(prefix="tcpdiag-screens-") as scratch:
                    os.chmod(scratch, 0o755)
                    command, answer = CASES[name](language, scratch)
                    texts.append((columns, run(command, answer, columns)))
                    too_long = [line for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", texts[-1][1]).split("\n") if len(line) > columns]
                    if too_long:
                        print(f"{name} {language} {columns}: longer than a line: {too_long}")
                    page_of_answer = pathlib.Path(scratch, "slow/answer.html")
                    if columns == 80 and page_of_answer.exists():
                        shutil.copy(page_of_answer, folder / f"{name}.{language}.html")
            with tempfile.TemporaryDirectory(prefix="tcpdiag-screens-") as scratch:
                draw(texts, folder / f"{name}.{language}.png", scratch)
            (folder / f"{name}.{language}.txt").write_text(texts[0][1])
            print(folder / f"{name}.{language}.png", flush=True)


if __name__ == "__main__":
    main()
