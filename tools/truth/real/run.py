#!/usr/bin/env python3
"""Runs one case and captures it at the client, in the middle and at the server: run.py PROGRAM CASE FOLDER SEED NUMBER

PROGRAM is tcpdiag. Everything happens in three network namespaces, client, box and server, of a mount namespace of its own: runs as root within `unshare -mn`.
NUMBER, 0 to 250, tells addresses of runs apart that happen at once. FOLDER then holds client.pcapng, middle.pcapng and server.pcapng. The exit code is 3
when the path was late itself.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from cases import case_of

TRUTH = Path(__file__).resolve().parent.parent
PROGRAMS = TRUTH / "programs.py"
BOX = TRUTH / "real" / "box.py"
sys.path.append(str(TRUTH))

from namespaces import make, shell, within

PORT = 8080
SETUP_SECONDS = 20
LATENESS = "5ms"  # of 1 % of the packets, beyond which a run is void


def prepare(network, wire):
    # The first name server is a machine that is not there.
    make(("client", "box", "server"), f"nameserver {network}99\nnameserver {wire}2\noptions timeout:2\n")
    for namespace in ("client", "box", "server"):
        # What one connection learned of the path is nothing that the next may know.
        shell("sysctl -qw net.ipv4.tcp_no_metrics_save=1", namespace)
    shell("sysctl -qw net.ipv4.ip_forward=1", "box")


def connect_wire(end, wire):
    """Between the box and an end. The client has the lower address."""
    shell(f"ip -n box link add wire type veth peer name wire netns {end}")
    numbers = {"server": (1, 2), "client": (2, 1)}[end]
    for namespace, number in zip(("box", end), numbers):
        shell(f"ip -n {namespace} address add {wire}{number}/24 dev wire")
        shell(f"ip -n {namespace} link set wire up")


def await_true(condition):
    end = time.monotonic() + SETUP_SECONDS
    while not condition():
        if time.monotonic() > end:
            sys.exit(93)
        time.sleep(0.05)


def interface(namespace, address):
    """The interface that has the address."""
    lines = subprocess.run(["ip", "-n", namespace, "-o", "-4", "address"], check=True, capture_output=True, text=True).stdout.splitlines()
    return next((line.split()[1] for line in lines if f" {address}/" in line), None)


def set_up_ends(case, near, far, path, wire):
    """Routes to the other end, with the congestion control of what each sends, and what is special about both."""
    await_true(lambda: interface(near, path + "1") and interface(far, path + "2"))
    routes = {"client": (path, wire + "2"), "server": (wire, path + "1")} if case.near_box else {"client": (wire, path + "2"), "server": (path, wire + "1")}
    for namespace, (network, gateway) in routes.items():
        shell(f"ip -n {namespace} route add {network}0/24 via {gateway} congctl {case.control}")
        for command in getattr(case, namespace):
            shell(command, namespace)


def set_up_box(case, start, address):
    devices = {"PATH": interface("box", address), "SERVER": "wire"}
    for command in case.box:
        shell(" ".join(devices.get(word, word) for word in command.split()), "box")
    if case.hold:
        start("box", sys.executable, BOX, case.hold)
        await_true(lambda: subprocess.run(["ip", "-n", "box", "route", "show", "table", "100"], capture_output=True, check=False).stdout)


def transfer(case, start):
    """Runs the client's program, and ends it when its time is up."""
    client = start("client", sys.executable, PROGRAMS, case.program, PORT, *case.arguments)
    try:
        client.wait(case.limit)
    except subprocess.TimeoutExpired:
        client.kill()
    time.sleep(1)


def capture(program, folder, start):
    """Starts a capture at each end."""
    files = [(namespace, folder / f"{namespace}.pcapng") for namespace in ("client", "server")]
    captures = [start(namespace, program, "capture", "--all", "--no-events", "--force", "--for", "90s", "--out", file) for namespace, file in files]
    await_true(lambda: all(file.exists() and file.stat().st_size > 0 for _, file in files))
    return captures


def end(processes, how):
    for process in processes:
        process.send_signal(how)
    for process in processes:
        process.wait(SETUP_SECONDS)


def main(program, name, folder, seed, number):
    case, folder = case_of(name, seed), Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path, wire = f"10.200.{number}.", f"10.202.{number}."
    near, far = ("box", "server") if case.near_box else ("client", "box")
    prepare(path, wire)
    connect_wire("client" if case.near_box else "server", wire)
    environment = {**os.environ, "SERVER": (path if case.near_box else wire) + "2", "CONTROL": case.control}
    log = open(folder / "log", "w", encoding="utf-8")  # closed by the end of the program
    running = []

    def start(namespace, *command):
        running.append(subprocess.Popen(within(namespace, *map(str, command)), stdout=log, stderr=log, env=environment))
        return running[-1]

    try:
        start("", program, "shim", "run", "--near", near, "--far", far, "--network", path + "0", *case.path.split(), "--seed", seed, "--for", "120s",
              "--limit", LATENESS, "--between", folder / "middle.pcapng", "--force")
        set_up_ends(case, near, far, path, wire)
        start("server", sys.executable, PROGRAMS, "serve", PORT, case.control, 0)
        start("server", sys.executable, PROGRAMS, "await_server", PORT).wait(SETUP_SECONDS)  # on its own machine: no capture holds that
        set_up_box(case, start, path + ("1" if case.near_box else "2"))
        captures = capture(program, folder, start)
        transfer(case, start)
        end(captures, signal.SIGINT)
    finally:
        end([process for process in reversed(running) if process.poll() is None], signal.SIGTERM)
    return 0 if "The run is valid" in (folder / "log").read_text(encoding="utf-8") else 3


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
