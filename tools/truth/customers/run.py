#!/usr/bin/env python3
"""One case as a customer meets it, in namespaces of its own: run.py PROGRAM CASE FOLDER [SEED [OPTION…]]

A customer's machine and a web server, the path emulated between them, `troubleshoot --yes` unattended, its files in FOLDER. Runs as root within
`unshare -mn`. The exit code is that of troubleshoot, or from 90 on when the case could not be set up.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cases import CASES, case_of

TRUTH = Path(__file__).resolve().parent.parent
PROGRAMS = TRUTH / "programs.py"
sys.path.append(str(TRUTH))

from namespaces import make, shell, within

PORT = 8080
SETUP_SECONDS = 20


def python(namespace, *arguments):
    return within(namespace, sys.executable, str(PROGRAMS), *map(str, arguments))


def prepare(case, network):
    # The first server is a machine that is not there.
    make(("client", "server"), f"nameserver {network}99\nnameserver {network}2\noptions timeout:2\n" if case.name else "")
    for namespace, commands in (("client", case.client), ("server", case.server)):
        for command in commands:
            shell(command, namespace)


def await_server():
    probe = python("client", "connect", PORT)
    end = time.monotonic() + SETUP_SECONDS
    while subprocess.run(probe, stderr=subprocess.DEVNULL).returncode:
        if time.monotonic() > end:
            sys.exit(93)


def set_congestion_control(control, network):
    """For what the customer sends; the default of a namespace can be none that the machine does not allow to everybody."""
    route = subprocess.run(["ip", "-n", "client", "route", "show", f"{network}0/24"], check=True, capture_output=True, text=True).stdout
    shell(f"ip -n client route replace {route.strip()} congctl {control}")


def troubleshoot(program, case, folder, options):
    host = case.name or os.environ["SERVER"]
    what = ["--host", f"{host}:{PORT}"] if case.program else ["--url", f"http://{host}:{PORT}{case.get}"]
    if case.put:
        what += ["--upload", f"{case.put}mb"]
    return within("client", program, "troubleshoot", *what, "--yes", "--limit", f"{case.limit}s", "--out", folder, "--language", "en", *options)


def transfer(program, case, folder, options):
    """Runs it; what customers do themselves they do when it says that it records, and no longer."""
    customer = None
    run = subprocess.Popen(troubleshoot(program, case, folder, options), stderr=subprocess.PIPE, text=True)
    for line in run.stderr:
        sys.stderr.write(line)
        if case.program and line.startswith("Recording"):
            customer = subprocess.Popen(python("client", case.program, PORT, *case.arguments), stderr=subprocess.DEVNULL)
    code = run.wait()
    if customer:
        customer.kill()
        customer.wait()
    return code


def main(program, name, folder, seed="1", *options):
    case = case_of(name, seed)
    network = f"10.200.{list(CASES).index(name)}."  # two cases may run at once: events of the kernel do not name their namespace
    os.environ["SERVER"] = network + "2"
    prepare(case, network)
    with tempfile.TemporaryFile() as log:
        shim = subprocess.Popen([program, "shim", "run", "--near", "client", "--far", "server", "--network", network + "0", *case.path.split(), "--seed", seed, "--for", "120s"], stdout=log, stderr=log)
        server = subprocess.Popen(python("server", "serve", PORT, case.control, case.receive_buffer), stdout=log, stderr=log)
        try:
            await_server()
            set_congestion_control(case.control, network)
            return transfer(os.path.abspath(program), case, folder, options)
        finally:
            server.terminate()
            shim.send_signal(signal.SIGTERM)
            shim.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
