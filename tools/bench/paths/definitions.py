#!/usr/bin/env python3
"""Measures emulated paths against their definitions with programs that are not tcpdiag's: ping, iperf3 and probe.c, between two network namespaces.

    sudo tools/bench/paths/definitions.py path/to/tcpdiag [CASE…]

Prints rows of Markdown tables (docs/benchmarks/emulated-path.md). Needs root, gcc, iperf3, ping. Leaves nothing behind, also when interrupted.
"""

import bisect
import contextlib
import json
import math
import os
import pathlib
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

NEAR, FAR = f"tdpd{os.getpid()}n", f"tdpd{os.getpid()}f"
FAR_ADDRESS = "10.200.0.2"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="path-definitions-"))
MS = 1_000_000


def run(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


def start(*words):
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def inside(place, *words):
    return ["ip", "netns", "exec", place, *words]


@contextlib.contextmanager
def path(*options):
    """An emulated path of these options; its report is in the list it gives when it has ended."""
    for place in (NEAR, FAR):
        run("ip", "netns", "add", place)
    report = []
    shim = start(TCPDIAG, "shim", "run", "--near", NEAR, "--far", FAR, "--for", "120s", *options)
    try:
        for _ in range(100):
            time.sleep(0.1)
            if subprocess.run(inside(NEAR, "ping", "-c1", "-W2", FAR_ADDRESS), capture_output=True, check=False).returncode == 0:
                break
        else:
            raise SystemExit(f"no path: {shim.communicate()}")
        yield report
    finally:
        shim.send_signal(signal.SIGINT)
        out, err = shim.communicate()
        report.append(out + err)
        for place in (NEAR, FAR):
            subprocess.run(["ip", "netns", "del", place], check=False)


def probe(size, per_second, seconds):
    """Datagrams sent and what arrived: a list of (number, sent ns, arrived ns, bytes)."""
    receiver = start(*inside(FAR, PROBE, "receive", "9000", "3"))
    time.sleep(0.2)
    run(*inside(NEAR, PROBE, "send", FAR_ADDRESS, "9000", str(size - 28), str(per_second), str(seconds)))
    out, _ = receiver.communicate()
    return [tuple(map(int, line.split())) for line in out.splitlines()]


def ping(seconds, interval=0.02):
    out = run(*inside(NEAR, "ping", "-q" if interval > 1 else "-n", "-i", str(interval), "-w", str(seconds), FAR_ADDRESS))
    return [float(x) for x in re.findall(r"time=([0-9.]+)", out)]


def iperf(seconds, *options):
    server = start(*inside(FAR, "iperf3", "-s", "-1"))
    time.sleep(0.3)
    try:
        return json.loads(run(*inside(NEAR, "iperf3", "-c", FAR_ADDRESS, "-J", "-t", str(seconds), *options)))
    finally:
        server.terminate()
        server.wait()


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def quantile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


# Jitter -------------------------------------------------------------------------------------------------------------------------------------------------

def lomax(x, mean):
    return 1 - (3 * mean / (3 * mean + x)) ** 4 if x > 0 else 0


SHAPES = {
    "5ms": (lambda x: min(1, max(0, (x + 5) / 10)), "20 ± 2.887"),
    "5ms:normal": (lambda x: 0.5 * (1 + math.erf(x / 5 / math.sqrt(2))), "20 ± 5"),
    "2ms:pareto": (lambda x: lomax(x, 2), "22 ± 2.83"),
}


def jitter():
    """Mean and deviation, the largest distance of the distributions (Kolmogorov–Smirnov), and packets that overtook another."""
    row("jitter", "sent", "asked, ms", "measured, ms", "largest distance of the distributions", "overtook")
    row(*["---"] * 6)
    for shape, (asked, moments) in SHAPES.items():
        for rate, seconds in ((8333, 30), (50, 60)):
            with path("--delay", "out:20ms", "--jitter", f"out:{shape}"):
                seen = probe(1500, rate, seconds)
            delays = sorted((arrived - sent) / MS - 20 for _, sent, arrived, _ in seen)
            distance = max(max(abs(asked(d) - i / len(delays)), abs(asked(d) - (i + 1) / len(delays))) for i, d in enumerate(delays))
            overtook = sum(a[0] > b[0] for a, b in zip(seen, seen[1:]))
            row(f"`{shape}`", f"{rate} a second", moments, f"{20 + statistics.mean(delays):.2f} ± {statistics.stdev(delays):.2f}", f"{100 * distance:.1f} %",
                overtook)


# Slots, aggregation --------------------------------------------------------------------------------------------------------------------------------------

def bunches(seen):
    """Packets that arrived within 200 µs of the one before them: how many each time, and when each began."""
    sizes, times = [], []
    last = 0
    for _, _, arrived, _ in seen:
        if arrived - last > 200_000:
            sizes.append(0)
            times.append(arrived)
        sizes[-1] += 1
        last = arrived
    return sizes, times


def batches():
    row("option", "sent", "by definition", "packets together, median (largest)", "ms from one bunch to the next, median (5 % … 95 %)")
    row(*["---"] * 5)
    for option, value, definition in (
        ("--slot", "out:10ms", "10 in 10 ms"), ("--slot", "out:5ms-15ms", "5 to 15, mean 10 ms"), ("--slot", "out:10ms:4", "4 in 10 ms, the rest waits"),
        ("--aggregate", "out:5ms", "6 in 6 ms: one waits 5 ms, five come meanwhile"), ("--aggregate", "out:5ms:3", "3 in 3 ms"),
    ):
        with path(option, value):
            seen = probe(200, 1000, 10 if value != "out:10ms:4" else 3)
        sizes, times = bunches(seen)
        gaps = [(b - a) / MS for a, b in zip(times, times[1:])]
        row(f"`{option[2:]} {value}`", "1000 a second", definition, f"{statistics.median(sizes):.0f} ({max(sizes)})",
            f"{statistics.median(gaps):.2f} ({quantile(gaps, 0.05):.2f} … {quantile(gaps, 0.95):.2f})")


# Trace ---------------------------------------------------------------------------------------------------------------------------------------------------

def trace():
    """A sender that is always ahead: every opportunity must be taken, at its millisecond."""
    times, state = [], 7
    for ms in range(1, 2001):
        state = (state * 1103515245 + 12345) % 2**31
        rate = 1 + 0.9 * math.sin(ms / 100)
        times += [ms] * int(rate + (state / 2**31))
    file = WORK / "link.trace"
    file.write_text("".join(f"{t}\n" for t in times))
    period = times[-1]
    mean = len(times) * 1500 * 8 / period / 1000
    with path("--trace", f"out:{file}", "--buffer", "out:200pkt"):
        seen = probe(1500, 4000, 10)
    # Where in the trace the run was when the probe began is not known: the offset that fits best, by the distance from the nearest opportunity.
    arrived = [a for _, _, a, _ in seen[500:]]
    marks = sorted({t for t in times})
    marks = [0, *marks, marks[0] + period]

    def distance(a, offset):
        at = ((a - arrived[0]) / MS + offset) % period
        i = bisect.bisect_right(marks, at)
        return min(at - marks[i - 1], marks[i] - at)

    offset = min((tenth / 10 for tenth in range(10 * period)), key=lambda o: sum(distance(a, o) for a in arrived[::max(1, len(arrived) // 150)]))
    distances = [distance(a, offset) for a in arrived]
    rounds = int((arrived[-1] - arrived[0]) / MS / period)
    rate = bisect.bisect_left(arrived, arrived[0] + rounds * period * MS) * 1500 * 8 / (rounds * period) / 1e3
    row("trace", "mean rate of the trace", f"measured over {rounds} rounds of it", "from the nearest opportunity, ms: median, 99 %")
    row(*["---"] * 4)
    row("0 to 2 opportunities a ms, sine of 628 ms, 2 s", f"{mean:.3f} Mbit/s", f"{rate:.3f} Mbit/s",
        f"{statistics.median(distances):.2f}, {quantile(distances, 0.99):.2f}")


# Managed queues --------------------------------------------------------------------------------------------------------------------------------------------

def codel_losses(sent, rate, size, target, interval, limit=1000):
    """How many packets RFC 8289 drops of those sent at these times (ns): written down again from its section 5, over an ideal link."""
    queue, drops, now, i = [], 0, 0, 0
    service = size * 8 * 10**9 // rate
    first_above = drop_next = count = last_count = 0
    dropping = False

    def fill(until):
        nonlocal i
        while i < len(sent) and sent[i] <= until:
            if len(queue) < limit:
                queue.append(sent[i])
            i += 1

    def dodeque():
        nonlocal first_above
        if not queue:
            first_above = 0
            return None, False
        came = queue.pop(0)
        if now - came < target or len(queue) * size <= 1500:
            first_above = 0
            return came, False
        if first_above == 0:
            first_above = now + interval
            return came, False
        return came, now >= first_above

    while i < len(sent) or queue:
        fill(now)
        if not queue:
            now = sent[i]
            fill(now)
        packet, ok = dodeque()
        if dropping:
            if not ok:
                dropping = False
            while dropping and now >= drop_next:
                drops += 1
                count += 1
                packet, ok = dodeque()
                if not ok:
                    dropping = False
                else:
                    drop_next += interval / math.sqrt(count)
        elif ok:
            drops += 1
            packet, _ = dodeque()
            dropping = True
            delta, count_was = count - last_count, count
            count = delta if delta > 1 and now - drop_next < 16 * interval else 1
            drop_next = now + interval / math.sqrt(count)
            last_count = count
        if packet is not None:
            now += service
    return drops


def pie_drops(sent, rate, size, reference, update):
    """What RFC 8033 drops of packets sent at these times, and how long the others wait (ms): written down again from its sections 4, 5.4 and 5.5."""
    chance = random.Random(1)
    queue, waits, drops, now, i = [], [], 0, 0, 0
    service = size * 8 * 10**9 // rate
    probability = old = delay = accumulated = 0.0
    burst, next_update, free = 150 * MS, sent[0] + update, 0

    def step(until):
        nonlocal probability, old, burst, next_update
        while next_update <= until:
            p = 0.125 * (delay - reference / 1e9) + 1.25 * (delay - old)
            for limit, divisor in ((1e-6, 2048), (1e-5, 512), (1e-4, 128), (1e-3, 32), (1e-2, 8), (1e-1, 2)):
                if probability < limit:
                    p /= divisor
                    break
            else:
                p = min(p, 0.02)
            probability += p
            if delay == 0 and old == 0:
                probability *= 0.98
            probability, old = min(1.0, max(0.0, probability)), delay
            burst = 150 * MS if probability == 0 and delay < reference / 2e9 else max(0, burst - update)
            next_update += update

    while i < len(sent) or queue:
        take = max(free, queue[0]) if queue else math.inf
        if i < len(sent) and sent[i] < take:
            now = sent[i]
            i += 1
            step(now)
            is_dropped = False
            if burst == 0 and not ((old < reference / 2e9 and probability < 0.2) or len(queue) * size <= 3000):
                accumulated = 0 if probability == 0 else accumulated + probability
                if accumulated >= 8.5 or (accumulated >= 0.85 and chance.random() < probability):
                    is_dropped, accumulated = True, 0
            if is_dropped:
                drops += 1
            else:
                queue.append(now)
        else:
            now = take
            step(now)
            came = queue.pop(0)
            delay = (now - came) / 1e9 if queue else 0.0
            waits.append((now - came) / MS)
            free = now + service
    return drops, statistics.mean(waits[len(waits) // 2:])


def queues():
    row("queue, 12 Mbit/s, 15 Mbit/s of datagrams for 20 s", "by definition", "dropped", "waited in the second half, ms: mean, 95 %")
    row(*["---"] * 4)
    for queue in ("fifo", "codel", "pie"):
        with path("--rate", "out:12mbit", "--aqm", f"out:{queue}"):
            seen = probe(1500, 1250, 20)
        sent = {n: s for n, s, _, _ in seen}
        # Lost ones were sent evenly between their neighbours.
        numbers = sorted(sent)
        total = 25_000
        times = []
        for n in range(total):
            if n in sent:
                times.append(sent[n])
            else:
                at = bisect.bisect(numbers, n)
                before = numbers[max(0, at - 1)]
                times.append(sent[before] + (n - before) * 800_000)
        waits = [(a - s) / MS - 1 for n, s, a, _ in seen if n > total / 2]
        definition = {
            "fifo": "1000 packets wait: 1000 ms; the rest of a fifth is dropped",
            "codel": f"{codel_losses(times, 12_000_000, 1500, 5 * MS, 100 * MS)} dropped (RFC 8289 §5 over the times of sending)",
            "pie": "{} dropped, {:.1f} ms (RFC 8033 §4 over the times of sending)".format(*pie_drops(times, 12_000_000, 1500, 15 * MS, 15 * MS)),
        }[queue]
        row(f"`aqm {queue}`", definition, f"{total - len(seen)} ({100 * (total - len(seen)) / total:.1f} %)",
            f"{statistics.mean(waits):.1f}, {quantile(waits, 0.95):.1f}")
    print()
    row("queue, 20 Mbit/s, RTT 20 ms, one TCP flow of iperf3 for 20 s", "goodput", "ping under load, ms: median, 95 %")
    row(*["---"] * 3)
    for queue in ("fifo", "codel", "fq_codel", "pie"):
        with path("--rate", "20mbit", "--rtt", "20ms", "--aqm", queue, "--buffer", "1000pkt"):
            server = start(*inside(FAR, "iperf3", "-s", "-1"))
            time.sleep(0.3)
            client = start(*inside(NEAR, "iperf3", "-c", FAR_ADDRESS, "-J", "-t", "20", "-C", "cubic"))
            time.sleep(5)
            times = ping(14)
            out, _ = client.communicate()
            server.wait()
        goodput = json.loads(out)["end"]["sum_received"]["bits_per_second"] / 1e6
        row(f"`aqm {queue}`", f"{goodput:.1f} Mbit/s", f"{statistics.median(times):.1f}, {quantile(times, 0.95):.1f}")


# Changes, overhead, cross traffic ----------------------------------------------------------------------------------------------------------------------------

def changes():
    """The path runs since a while when the probe begins: changes are far apart, and looked for in half seconds of what arrives."""
    row("schedule", "asked", "measured")
    row(*["---"] * 3)
    with path("--rate", "out:20mbit", "--rate", "out:at:10s:5mbit", "--rate", "out:at:18s:10mbit", "--buffer", "out:50pkt"):
        seen = probe(1500, 2200, 24)
    begin, bins = seen[0][2], {}
    for _, _, arrived, _ in seen:
        bins[(arrived - begin) // 500_000_000] = bins.get((arrived - begin) // 500_000_000, 0) + 1500 * 8 / 0.5 / 1e6
    rates = [bins.get(i, 0) for i in range(max(bins))]
    first = next(i for i, rate in enumerate(rates) if i > 2 and rate < 12)
    second = next(i for i, rate in enumerate(rates) if i > first + 2 and rate > 7.5)
    row("`rate 20mbit`, `at:10s:5mbit`, `at:18s:10mbit`", "20, 5, 10 Mbit/s; 8 s between the changes",
        f"{statistics.median(rates[1:first - 1]):.2f}, {statistics.median(rates[first + 2:second - 1]):.2f}, "
        f"{statistics.median(rates[second + 2:-2]):.2f} Mbit/s; {(second - first) / 2:.1f} s")
    with path("--rtt", "10ms", "--rtt", "at:8s:60ms"):
        times = ping(16)
    low, high = [t for t in times if t < 35], [t for t in times if t >= 35]
    row("`rtt 10ms`, `at:8s:60ms`", "10, 60 ms", f"{statistics.median(low):.2f}, {statistics.median(high):.2f} ms ({len(low)}, {len(high)} pings)")


def overhead():
    row("overhead, 10 Mbit/s", "datagrams", "by definition", "measured")
    row(*["---"] * 4)
    for value, size, wire in (("ethernet", 1500, 1538), ("ethernet", 100, 138), ("ethernet", 44, 84), ("40b:atm", 1500, 1749), ("40b:atm", 200, 265)):
        asked = 10e6 / 8 / wire
        with path("--rate", "out:10mbit", "--overhead", f"out:{value}", "--buffer", "out:3000pkt"):
            seen = probe(size, int(asked * 1.5), 5)
        body = seen[len(seen) // 10:]
        measured = (len(body) - 1) / ((body[-1][2] - body[0][2]) / 1e9)
        row(f"`{value}`", f"{size} bytes", f"{wire} on the wire: {asked:.1f} a second", f"{measured:.1f} a second ({100 * (measured / asked - 1):+.2f} %)")


def cross():
    row("40 Mbit/s, RTT 20 ms, 1 BDP; 30 s, first 5 s left out", "goodput of the flow of iperf3", "its share of what is even")
    row(*["---"] * 3)
    for name, congestion, options, streams, even in (
        ("CUBIC beside 3 of iperf3", "cubic", [], 4, 10), ("CUBIC beside `cross cubic:3:20ms`", "cubic", ["--cross", "out:cubic:3:20ms"], 1, 10),
        ("CUBIC beside 1 of iperf3", "cubic", [], 2, 20), ("CUBIC beside `cross cubic:1:20ms`", "cubic", ["--cross", "out:cubic:1:20ms"], 1, 20),
        ("Reno beside 1 of iperf3", "reno", [], 2, 20), ("Reno beside `cross reno:1:20ms`", "reno", ["--cross", "out:reno:1:20ms"], 1, 20),
        ("CUBIC beside `cross cbr:30mbit`", "cubic", ["--cross", "out:cbr:30mbit"], 1, 10),
        ("CUBIC beside `cross cubic:3:20ms`, `aqm fq_codel`", "cubic", ["--cross", "out:cubic:3:20ms", "--aqm", "fq_codel"], 1, 10),
    ):
        with path("--rate", "40mbit", "--rtt", "20ms", "--buffer", "1bdp", *options) as report:
            result = iperf(30, "-P", str(streams), "-O", "5", "-C", congestion)
        flows = [s["receiver"]["bits_per_second"] / 1e6 for s in result["end"]["streams"]]
        goodput = flows[0] if streams == 1 else statistics.mean(flows)
        others = [line for line in report[0].splitlines() if "cross" in line.lower()]
        row(name, f"{goodput:.2f} Mbit/s" + (f" (each {min(flows):.2f} … {max(flows):.2f})" if streams > 1 else ""), f"{goodput / (even * 1448 / 1500):.2f}")
        if others:
            print("<!--", *others, "-->")


CASES = {"jitter": jitter, "batches": batches, "trace": trace, "queues": queues, "changes": changes, "overhead": overhead, "cross": cross}

if __name__ == "__main__":
    TCPDIAG = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)
    PROBE = str(WORK / "probe")
    run("gcc", "-O2", "-o", PROBE, str(pathlib.Path(__file__).with_name("probe.c")))
    for case in sys.argv[2:] or CASES:
        print(f"\n### {case}\n")
        CASES[case]()
