"""What real programs, real stacks and machines on the way do, and the finding that is right.

Here stands what the simulator cannot make: requests with answers, several connections, machines between the ends, BBR, names, resets; and a few of its causes
once more, made by real TCP. A case is drawn anew for each seed: rates, round trips and sizes differ, what is wrong does not.
"""

import random
from dataclasses import dataclass, field

POINTS = ("client", "middle", "server")


@dataclass
class Case:
    """A case for one seed.

    program, arguments: what the client does, a function of ../programs.py.
    path: options of `tcpdiag shim run`. The middle is behind its first segment, and in front of what is `behind:`.
    first: findings of which one has to stand first; none for healthy traffic, where nothing may be more than a note.
    beside: findings that are true as well, or a consequence.
    note: costs nothing that anybody waits for, so it has to be named at all, and nothing else may be a warning.
    shows: where a capture shows it; late: where one does that begins after a third. late_first: what may stand first there as well, since the beginning shows
    which of two it is.
    cut: whether 68 bytes of each packet do.
    client, box, server: commands run in that namespace; a box forwards between path and server, or, with near_box, between client and path.
    limit: seconds after which the client is ended.
    """

    program: str
    arguments: tuple
    path: str
    first: tuple = ()
    beside: tuple = ()
    note: bool = False
    shows: tuple = POINTS
    late: tuple = POINTS
    late_first: tuple = ()
    cut: bool = True
    client: tuple = ()
    box: tuple = ()
    server: tuple = ()
    control: str = "cubic"
    near_box: bool = False
    hold: float = 0
    limit: int = 20

    def __post_init__(self):
        self.late = tuple(point for point in self.late if point in self.shows)


NEVER = ()
LOST = ("rto-stalls", "tail-loss", "lost-retransmissions", "spurious-retransmissions")  # consequences of loss
FIXED = ("sysctl -qw net.ipv4.tcp_recovery=3 net.ipv4.tcp_dsack=0 net.ipv4.tcp_timestamps=0",)


def good_path(draw):
    return f"--rate {draw.choice([20, 30, 50])}mbit --rtt {draw.choice([20, 30, 40])}ms --buffer 1bdp"


def long_path(draw):
    return f"--rate 50mbit --rtt {draw.choice([50, 60, 80])}ms --buffer 1bdp"


def fair_path(draw):
    """With a queue of thirty packets at least, which a burst needs, and of 80 ms at most, which others notice; Reno needs a BDP."""
    rate, rtt = draw.choice([5, 10, 20, 50]), draw.choice([5, 10, 30, 60, 100])
    buffer = int(max(45_000, min(draw.choice([1, 1.5, 2]) * rate * 125 * rtt, rate * 125 * 80)) / 1000)
    return rate, f"--rate {rate}mbit --rtt {rtt}ms --buffer {buffer}kb"


def download(size, **options):
    ask = "".join(f"&{name}={value}" for name, value in options.items())
    return "get", (f"/data?size={size}{ask}", size)


# Requests and answers


def small_writes(draw):
    """Each request in two writes without TCP_NODELAY: the second waits for a delayed acknowledgment (write-write-read).

    How long a round trip takes only the handshake shows.
    """
    return Case("small_writes", (draw.randint(40, 80),), good_path(draw), ("nagle-delayed-ack",), late=NEVER)


def small_answers(draw):
    """The same at the server: each answer in two writes."""
    return Case("small_answers", (draw.randint(40, 80),), good_path(draw), ("nagle-delayed-ack",), late=NEVER)


def slow_answers(draw):
    delay = draw.uniform(1.5, 4)
    return Case(*download(100_000, delay=f"{delay:.1f}"), good_path(draw), ("slow-answers",), late=NEVER)


def late_request(draw):
    return Case("late_request", (draw.uniform(1.5, 4), 200_000), good_path(draw), ("late-first-request",), note=True, late=NEVER)


def late_syn_ack(draw):
    """A machine in front of the server holds the SYN-ACK, as one does that opens a connection of its own first."""
    return Case(*download(1_000_000), good_path(draw), ("late-syn-ack",), hold=draw.uniform(0.4, 0.9), shows=("client", "middle"), late=NEVER)


def name_lookup(draw):
    """The first name server is a machine that is not there."""
    return Case("by_name", ("server.test", 200_000), good_path(draw), ("name-lookup-delay",), shows=("client", "middle"), late=NEVER, cut=False)


def application_timeout(draw):
    """A client with a small receive buffer gives up while the server is still sending."""
    return Case("download", (20_000_000, draw.choice([32_768, 65_536]), draw.choice([5, 8, 10])), long_path(draw),
                ("application-timeout", "receive-window-limited"), beside=("reset-by-peer",))


# Machines between the ends


def smaller_link(draw):
    """A link of the tunnel behind the server takes smaller packets, and its ICMP is filtered."""
    return draw.choice([1200, 1280, 1350, 1400])


def black_hole(draw):
    size = smaller_link(draw)
    return Case(*download(1_000_000), good_path(draw), ("mtu-black-hole",), beside=("rto-stalls", "dead-peer"), shows=("server",), limit=14,
                box=(f"ip link set PATH mtu {size}", "iptables -A OUTPUT -p icmp -j DROP"), late=NEVER)


def black_hole_upload(draw):
    size = smaller_link(draw)
    return Case("upload", (1_000_000, 0), good_path(draw), ("mtu-black-hole",), beside=("rto-stalls", "dead-peer"), shows=("client", "middle"), limit=14,
                box=(f"ip link set SERVER mtu {size}", "iptables -A OUTPUT -p icmp -j DROP"), late=NEVER)


def black_hole_probed(draw):
    """The sender finds the size by itself (RFC 4821)."""
    size = smaller_link(draw)
    return Case("upload", (3_000_000, 0), good_path(draw), ("mtu-black-hole",), beside=("rto-stalls", "path-loss"), shows=("client", "middle"),
                client=("sysctl -qw net.ipv4.tcp_mtu_probing=1",), box=(f"ip link set SERVER mtu {size}", "iptables -A OUTPUT -p icmp -j DROP"), late=NEVER)


def split_connection(draw):
    """A firewall at the client answers the handshake itself (SYN proxy)."""
    return Case("upload", (3_000_000, 0), long_path(draw), ("split-connection",), note=True, shows=("client",), late=NEVER, near_box=True, box=(
        "sysctl -qw net.netfilter.nf_conntrack_tcp_loose=0",
        "iptables -t raw -A PREROUTING -p tcp --dport 8080 --syn -j CT --notrack",
        "iptables -A FORWARD -p tcp --dport 8080 -m conntrack --ctstate INVALID,UNTRACKED -j SYNPROXY --sack-perm --timestamp --wscale 10 --mss 1460",
        "iptables -A FORWARD -m conntrack --ctstate INVALID -j DROP"))


def stripped_timestamps(draw):
    return Case(*download(2_000_000), good_path(draw), ("timestamps-stripped",), note=True, shows=("client", "middle"), late=NEVER,
                box=("iptables -t mangle -A FORWARD -p tcp --sport 8080 -j TCPOPTSTRIP --strip-options timestamp",))


def clamped_mss(draw):
    return Case(*download(2_000_000), good_path(draw), ("mss-clamped",), note=True, late=NEVER,
                box=(f"iptables -t mangle -A FORWARD -p tcp --tcp-flags SYN,RST SYN -j TCPMSS --set-mss {draw.choice([536, 600, 800])}",))


def reset_by_server(draw):
    return Case(*download(4_000_000, reset=draw.randint(500_000, 1_500_000)), good_path(draw), ("reset-by-peer",))


def reset_by_firewall(draw):
    """A machine on the way ends the connection after so many bytes."""
    return Case(*download(6_000_000), good_path(draw), ("reset-by-peer",), box=(
        f"iptables -A FORWARD -p tcp -m connbytes --connbytes {draw.randint(1_000_000, 3_000_000)}: --connbytes-dir both --connbytes-mode bytes "
        "-j REJECT --reject-with tcp-reset",))


def refused(draw):
    return Case("refused", (draw.randint(1, 4),), good_path(draw), ("reset-by-peer",), late=NEVER)


def unanswered(draw):
    """A firewall drops what opens a connection."""
    return Case(*download(1000), good_path(draw), ("syn-retransmitted",), beside=("dead-peer",), shows=("client", "middle"), limit=10,
                box=("iptables -A FORWARD -p tcp --dport 8080 --syn -j DROP",), late=NEVER)


def lost_syn(draw):
    """The first SYN is lost."""
    return Case(*download(1_000_000), good_path(draw), ("syn-retransmitted",), shows=("client", "middle"), late=NEVER, box=(
        "iptables -A FORWARD -p tcp --dport 8080 --syn -m recent --name syn --rcheck -j ACCEPT",
        "iptables -A FORWARD -p tcp --dport 8080 --syn -m recent --name syn --set -j DROP"))


def outage(draw):
    size = 4_000_000
    return Case("get_through_outage", (size, 0.8, draw.choice([2, 3, 4])), f"--rate 10mbit --rtt {draw.choice([20, 40])}ms --buffer 1bdp",
                ("rto-stalls",), beside=("path-loss", *LOST), late=NEVER)


def dead_peer(draw):
    """The path is gone for good, and the server gives up; a third later it hardly tries any more."""
    return Case("get_through_outage", (8_000_000, 0.8, 60), f"--rate 10mbit --rtt {draw.choice([20, 40])}ms --buffer 1bdp", ("dead-peer",),
                beside=("rto-stalls", "path-loss"), shows=("server",), late=NEVER,
                server=("sysctl -qw net.ipv4.tcp_retries2=4",), limit=18)


# Windows and buffers


def half_window(draw):
    """The second connection has half of the first one's window, as on a newer kernel."""
    larger = draw.choice([131_072, 196_608])
    return Case("two_windows", (2_000_000, larger, larger // 2), long_path(draw), ("receive-window-halved", "receive-window-limited"))


def small_receive_buffer(draw):
    return Case("download", (4_000_000, draw.choice([32_768, 65_536]), 18), long_path(draw), ("receive-window-limited",))


def small_system_window(draw):
    return Case(*download(4_000_000), long_path(draw), ("receive-window-limited",),
                client=(f'sysctl -qw net.ipv4.tcp_rmem="4096 16384 {draw.choice([32_768, 49_152, 65_536])}"',))


def no_window_scaling(draw):
    return Case(*download(5_000_000), long_path(draw), ("window-scaling-off", "receive-window-limited"), beside=("receive-window-limited",),
                client=("sysctl -qw net.ipv4.tcp_window_scaling=0",), late=NEVER)


def small_send_buffer(draw):
    return Case("upload", (draw.randint(700_000, 1_500_000), draw.choice([8192, 16_384, 24_576])), long_path(draw), ("send-buffer-limited",), late=("client",))


def small_server_buffer(draw):
    return Case(*download(1_500_000, sndbuf=draw.choice([12_000, 16_384, 24_000])), long_path(draw), ("send-buffer-limited",), late=("server",))


def slow_reader(draw):
    slow = ("zero-window", "receive-window-limited", "host-limited")
    return Case("slow_reader", (3_000_000, draw.choice([200_000, 300_000, 400_000])), good_path(draw), slow, beside=slow)


# Loss, order and queues, as real senders meet them


def loss(draw):
    return Case(*download(6_000_000), f"{long_path(draw)} --loss in:{draw.choice([0.5, 1, 2])}pct", ("path-loss",), beside=LOST)


def loss_upload(draw):
    return Case("upload", (5_000_000, 0), f"{long_path(draw)} --loss out:{draw.choice([0.5, 1, 2])}pct", ("path-loss",), beside=LOST)


def loss_parallel(draw):
    """Four downloads at once over a path that loses packets."""
    return Case("parallel", (4, 1_500_000), f"{long_path(draw)} --loss in:{draw.choice([1, 2])}pct", ("path-loss",), beside=LOST)


def loss_bbr(draw):
    """BBR hardly slows down for it."""
    return Case(*download(8_000_000), f"{long_path(draw)} --loss in:{draw.choice([0.5, 1])}pct", ("path-loss",), beside=LOST, note=True, control="bbr")


def reordering(draw):
    """Later than a fixed RACK waits, a quarter of the round trip."""
    return Case(*download(6_000_000), f"{long_path(draw)} --reorder in:{draw.choice([2, 3])}pct:add:{draw.choice([25, 30, 40])}ms",
                ("cwnd-limited-by-reordering",), beside=("path-reordering", "spurious-retransmissions"), server=FIXED)


def reordering_upload(draw):
    return Case("upload", (6_000_000, 0), f"{long_path(draw)} --reorder out:{draw.choice([1, 2, 3])}pct:add:{draw.choice([25, 30])}ms",
                ("cwnd-limited-by-reordering",), beside=("path-reordering", "spurious-retransmissions"), client=FIXED)


def policer(draw):
    rate = draw.choice([8, 10, 15])
    path = f"--rate in:{rate}mbit --burst in:{draw.choice([60, 100])}kb --buffer in:1pkt --rtt {draw.choice([40, 60])}ms"
    return Case(*download(6_000_000), path, ("policer",), beside=LOST, late_first=("path-loss",))  # the bucket was full in the beginning only


def standing_queue(draw):
    rate = draw.choice([3, 4, 5])  # it stands already when a capture begins late
    path = f"--rate {rate}mbit --rtt {draw.choice([20, 30])}ms --buffer 1mb"
    return Case("upload", (rate * 1_000_000, 0), path, ("bufferbloat",), shows=("client",), late=NEVER)


def chat_in_queue(draw):
    """An upload fills the queue that a conversation has to pass."""
    rate = draw.choice([3, 4, 5])
    path = f"--rate {rate}mbit --rtt {draw.choice([20, 30])}ms --buffer 1mb"
    return Case("chat_beside_upload", (rate * 900_000, 20, 0.2), path, ("bufferbloat",), shows=("client",), late=NEVER)


def marks(draw):
    path = f"{long_path(draw).replace(' --buffer 1bdp', ' --buffer 2bdp')} --ecn in:{draw.choice([6, 10])}kb"
    return Case(*download(4_000_000), path, ("ecn-marks",), late=("client", "server"),
                client=("sysctl -qw net.ipv4.tcp_ecn=1",), server=("sysctl -qw net.ipv4.tcp_ecn=1",))


def idle_restart(draw):
    return Case("put_in_parts", (5, 1_000_000, 2.5), f"--rate 100mbit --rtt {draw.choice([100, 150])}ms --buffer 1bdp", ("idle-restart",))


def slow_start(draw):
    """Short transfers, each on a connection of its own, over a long fast path."""
    path = f"--rate 100mbit --rtt {draw.choice([120, 160, 200])}ms --buffer 1bdp"
    return Case("pages", (6, draw.randint(200_000, 400_000)), path, ("slow-start",), note=True)


FAULTY = (small_writes, small_answers, slow_answers, late_request, late_syn_ack, name_lookup, application_timeout, black_hole, black_hole_upload,
          black_hole_probed, split_connection, stripped_timestamps, clamped_mss, reset_by_server, reset_by_firewall, refused, unanswered, lost_syn, outage,
          dead_peer, half_window, small_receive_buffer, small_system_window, no_window_scaling, small_send_buffer, small_server_buffer, slow_reader, loss,
          loss_upload, loss_parallel, loss_bbr, reordering, reordering_upload, policer, standing_queue, chat_in_queue, marks, idle_restart, slow_start)


# Healthy traffic


def healthy_bulk(control, is_upload):
    def draw_case(draw):
        rate, path = fair_path(draw)
        size = int(min(rate * 1e6 / 8 * draw.uniform(1, 4), 10_000_000))
        what = ("upload", (size, 0)) if is_upload else download(size)
        return Case(*what, path, control=control)
    draw_case.__name__ = f"{control}_{'upload' if is_upload else 'download'}"
    return draw_case


def requests(draw):
    return Case("chat", (draw.randint(10, 30), draw.uniform(0.05, 0.5)), fair_path(draw)[1])


def back_to_back(draw):
    return Case("queries", (draw.randint(50, 150), draw.choice([100, 1000, 4000])), fair_path(draw)[1])


def pages(draw):
    path = f"--rate {draw.choice([20, 50])}mbit --rtt {draw.choice([5, 10, 20])}ms --buffer 60kb"
    return Case("pages", (draw.randint(3, 8), draw.randint(5_000, 60_000)), path)


def parallel(draw):
    rate, path = fair_path(draw)
    return Case("parallel", (draw.randint(2, 6), rate * 100_000), path)


def upload_beside_download(draw):
    rate, path = fair_path(draw)
    return Case("both_ways", (rate * 300_000, rate * 300_000), path, control=draw.choice(["cubic", "bbr"]))


def long_pauses(draw):
    return Case("put_in_parts", (draw.randint(3, 5), draw.randint(200, 3000), 3), fair_path(draw)[1])


def steady_upload(draw):
    return Case("put_in_parts", (100, draw.choice([600, 1800, 4000]), draw.choice([0.02, 0.05, 0.1])), fair_path(draw)[1])


def video(draw):
    rate = draw.choice([10, 20, 50])
    piece = int(rate * draw.uniform(8_000, 25_000))
    return Case(*download(6 * piece, piece=piece, every=1), f"--rate {rate}mbit --rtt {draw.choice([10, 30, 60])}ms --buffer 1bdp",
                control=draw.choice(["cubic", "bbr"]))


def events(draw):
    """A server that sends a little whenever something happens."""
    return Case(*download(40 * 200, piece=200, every=f"{draw.uniform(0.05, 0.3):.2f}"), fair_path(draw)[1])


def cancelled(draw):
    """A client that leaves a page while it comes."""
    return Case("cancel", (30_000_000, draw.uniform(1, 3)), fair_path(draw)[1])


def found_mtu(draw):
    """A smaller link whose ICMP arrives."""
    return Case(*download(2_000_000), good_path(draw), box=(f"ip link set PATH mtu {smaller_link(draw)}",))


def close_by(draw):
    """Two machines in one network."""
    return Case(*download(30_000_000), f"--rtt {draw.choice([1, 2])}ms", control=draw.choice(["cubic", "bbr"]))


def late_acknowledgments(draw):
    return Case("upload", (3_000_000, 0), f"--rate {draw.choice([5, 20])}mbit --rtt {draw.choice([12, 50])}ms --buffer 1bdp --reorder in:5pct:add:3ms")


def like_wifi(draw):
    return Case(*download(3_000_000), f"--rate {draw.choice([10, 30])}mbit --rtt {draw.choice([20, 50])}ms --buffer 2bdp --jitter 2ms --aggregate 4ms")


HEALTHY = (
    *(healthy_bulk(control, is_upload) for control in ("cubic", "reno", "bbr") for is_upload in (False, True)), requests, back_to_back, pages, parallel,
    upload_beside_download, long_pauses, steady_upload, video, events, cancelled, found_mtu, close_by, late_acknowledgments, like_wifi)

CASES = {function.__name__.replace("_", "-"): function for function in (*FAULTY, *HEALTHY)}


def case_of(name, seed):
    """The case of that name, drawn for a seed."""
    return CASES[name](random.Random(f"{name}/{seed}"))
