"""What customers meet: the path, both machines and the programs of each case, and the answer that is right.

A case is drawn anew for each seed: rates, round trips and sizes differ, what is wrong does not.
"""

import random
from dataclasses import dataclass, field

NOTHING, THIS_COMPUTER, NETWORK, FAR_END = 0, 10, 11, 12  # exit codes of troubleshoot


@dataclass
class Case:
    """A case for one seed.

    path: options of `tcpdiag shim run`.
    client, server: commands run in the namespace before the transfer.
    get: path on the web server that troubleshoot fetches itself; put: megabytes that it sends instead.
    program: what the customer does by hand instead, a function of ../programs.py; arguments: of that.
    control: congestion control at both ends; most customers have CUBIC.
    side: the exit code; step: what the first step says, a regular expression.
    """

    side: int
    step: str
    path: str
    get: str = "/data?size=6000000"
    put: int = 0
    program: str = ""
    arguments: tuple = ()
    limit: int = 25
    client: list = field(default_factory=list)
    server: list = field(default_factory=list)
    control: str = "cubic"
    name: str = ""
    receive_buffer: int = 0


def good_path(draw):
    return f"--rate {draw.choice([20, 30, 50])}mbit --rtt {draw.choice([20, 30, 40])}ms --buffer 1bdp"


def healthy(draw):
    rate = draw.choice([5, 10, 20, 50, 100])
    rtt = draw.choice([2, 10, 30, 60, 120])
    # A queue of twenty packets at least, which a burst needs, and of 80 ms at most, which others notice.
    buffer = int(max(30_000, min(draw.choice([0.7, 1, 1.5]) * rate * 125 * rtt, rate * 125 * 80)) / 1000)
    size = min(int(rate * 1e6 / 8 * draw.uniform(1, 5)), 20_000_000)
    case = Case(NOTHING, "", f"--rate {rate}mbit --rtt {rtt}ms --buffer {buffer}kb", control=draw.choice(["cubic", "bbr", "reno"]))
    match draw.choice(["get", "put", "chat", "pages"]):
        case "get":
            case.get = f"/data?size={size}"
        case "put":
            case.put = max(1, size // 1_000_000)
        case "chat":
            case.program, case.arguments, case.limit = "chat", (draw.randint(10, 30), draw.uniform(0.1, 0.6)), 15
        case "pages":
            case.program, case.arguments, case.limit = "pages", (draw.randint(3, 8), draw.randint(10_000, 200_000)), 12
    return case


def reordering_upload(draw):
    """S1: uploads are slow, because the path reorders and the machine takes that for loss."""
    return Case(
        NETWORK, r"^Network:.*order|tcp_(dsack|timestamps|recovery)",
        f"--rate 50mbit --rtt {draw.choice([40, 60, 80])}ms --buffer 1bdp --reorder out:{draw.choice([1, 2, 3])}pct:add:{draw.choice([10, 20])}ms",
        put=6, client=["sysctl -qw net.ipv4.tcp_recovery=3 net.ipv4.tcp_dsack=0 net.ipv4.tcp_timestamps=0"])


def reordering_download(draw):
    """S2: each packet is chosen with a small probability and takes another time than the rest; the server never learns from it."""
    return Case(
        NETWORK, r"^Network:.*order",
        f"--rate 50mbit --rtt {draw.choice([40, 60, 80])}ms --buffer 1bdp --reorder in:{draw.choice([2, 3, 4])}pct:add:{draw.choice([15, 20, 30])}ms",
        server=["sysctl -qw net.ipv4.tcp_recovery=3 net.ipv4.tcp_dsack=0 net.ipv4.tcp_timestamps=0"])


def small_send_buffer(draw):
    """S3: the program that uploads has set a send buffer of 8 kB."""
    return Case(
        THIS_COMPUTER, r"(?i)send ?buffer|SO_SNDBUF", f"--rate 50mbit --rtt {draw.choice([40, 50, 60])}ms --buffer 1bdp",
        program="upload", arguments=(draw.randint(600_000, 1_000_000), draw.choice([8192, 12_000, 16_384])), limit=20)


def application_timeout(draw):
    """S4: a client with a small receive buffer gives up while the server is still sending."""
    return Case(
        THIS_COMPUTER, r"(?i)timeout|receive (buffer|window)|SO_RCVBUF", f"--rate 50mbit --rtt {draw.choice([60, 70, 90])}ms --buffer 1bdp",
        get="", program="download", arguments=(20_000_000, draw.choice([32_768, 65_536]), draw.choice([6, 8, 10])), limit=20)


def path_loss(draw):
    return Case(NETWORK, r"^Network:", f"--rate 50mbit --rtt {draw.choice([40, 60, 80])}ms --buffer 1bdp --loss in:{draw.choice([0.7, 1, 2])}pct")


def path_loss_upload(draw):
    return Case(NETWORK, r"^Network:", f"--rate 50mbit --rtt {draw.choice([40, 60, 80])}ms --buffer 1bdp --loss out:{draw.choice([0.7, 1, 2])}pct",
                put=5)


def standing_queue(draw):
    """The customer's own upload fills the queue of the line."""
    rate = draw.choice([3, 4, 5])
    return Case(NETWORK, r"(?i)queue|AQM|fq_codel|SQM", f"--rate {rate}mbit --rtt {draw.choice([20, 30])}ms --buffer 1mb",
                program="upload", arguments=(rate * 1_000_000, 0), limit=12)


def small_receive_buffer(draw):
    size = draw.choice([32_768, 40_000, 49_152])
    return Case(THIS_COMPUTER, r"tcp_rmem|receive", good_path(draw).replace("--rtt ", "--rtt 1"),
                client=[f'sysctl -qw net.ipv4.tcp_rmem="4096 16384 {size}"'])


def no_window_scaling(draw):
    return Case(THIS_COMPUTER, r"tcp_window_scaling|[Ww]indow scaling", f"--rate 50mbit --rtt {draw.choice([60, 80, 100])}ms --buffer 1bdp",
                client=["sysctl -qw net.ipv4.tcp_window_scaling=0"])


def silent_black_hole(draw):
    size = draw.choice([1200, 1280, 1350])
    return Case(NETWORK, r"(?i)mtu|vanish|larger", good_path(draw), server=[
        f"iptables -A INPUT -p icmp -m length --length {size + 1}:65535 -j DROP", f"iptables -A OUTPUT -p tcp -m length --length {size + 1}:65535 -j DROP"])


def black_hole_upload(draw):
    size = draw.choice([1200, 1280, 1350])
    return Case(NETWORK, r"(?i)mtu|vanish|larger", good_path(draw), put=1, server=[f"iptables -A INPUT -m length --length {size + 1}:65535 -j DROP"])


def slow_answers(draw):
    return Case(FAR_END, r"(?i)server|answer", good_path(draw), get=f"/slow?delay={draw.uniform(1.5, 4):.1f}&size=100000")


def slow_reader(draw):
    """A program of the customer's takes what it fetches too slowly."""
    return Case(THIS_COMPUTER, r"(?i)read", good_path(draw), program="slow_reader", arguments=(3_000_000, draw.choice([200_000, 300_000, 400_000])), limit=20)


def slow_server_disk(draw):
    """The server takes an upload too slowly."""
    return Case(FAR_END, r"(?i)read|server", good_path(draw), put=3, get=f"/sink?rate={draw.choice([200_000, 300_000, 400_000])}")


def small_server_send_buffer(draw):
    return Case(FAR_END, r"(?i)send ?buffer|SO_SNDBUF|sndbuf", f"--rate 50mbit --rtt {draw.choice([50, 60, 80])}ms --buffer 1bdp",
                get=f"/data?size=1500000&sndbuf={draw.choice([12_000, 16_384, 24_000])}")


def small_server_receive_buffer(draw):
    return Case(FAR_END, r"(?i)receive|rcvbuf|SO_RCVBUF", f"--rate 50mbit --rtt {draw.choice([50, 60, 80])}ms --buffer 1bdp",
                put=3, receive_buffer=draw.choice([16_384, 24_000, 32_768]))


def silent_name_server(draw):
    return Case(NETWORK, r"(?i)name", good_path(draw), get="/data?size=200000", name="server.test")


def policer(draw):
    rate = draw.choice([8, 10, 15])
    return Case(NETWORK, r"(?i)polic|rate|shap", f"--rate in:{rate}mbit --burst in:{draw.choice([60, 100])}kb --buffer in:1pkt --rtt {draw.choice([40, 60])}ms")


def small_writes(draw):
    """Each request in two small writes, without TCP_NODELAY: the second waits for a delayed acknowledgment."""
    return Case(THIS_COMPUTER, r"TCP_NODELAY|one write", good_path(draw), program="small_writes", arguments=(draw.randint(40, 80),), limit=15)


def outage(draw):
    """The path is gone for seconds while data flows."""
    return Case(NETWORK, r"^Network:", f"--rate 10mbit --rtt {draw.choice([20, 40])}ms --buffer 1bdp", get=f"/data?size=4000000&outage={draw.choice([2, 3, 4])}")


CASES = {
    "reordering-upload": reordering_upload,
    "reordering-download": reordering_download,
    "small-send-buffer": small_send_buffer,
    "application-timeout": application_timeout,
    "path-loss": path_loss,
    "path-loss-upload": path_loss_upload,
    "standing-queue": standing_queue,
    "small-receive-buffer": small_receive_buffer,
    "no-window-scaling": no_window_scaling,
    "silent-black-hole": silent_black_hole,
    "black-hole-upload": black_hole_upload,
    "slow-answers": slow_answers,
    "slow-reader": slow_reader,
    "slow-server-disk": slow_server_disk,
    "small-server-send-buffer": small_server_send_buffer,
    "small-server-receive-buffer": small_server_receive_buffer,
    "silent-name-server": silent_name_server,
    "policer": policer,
    "small-writes": small_writes,
    "outage": outage,
    "healthy": healthy,
}


def case_of(name, seed):
    """The case of that name, drawn for a seed."""
    return CASES[name](random.Random(f"{name}/{seed}"))
