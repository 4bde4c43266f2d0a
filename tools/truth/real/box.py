"""A machine on the way that holds the SYN-ACKs of a server: box.py SECONDS

They are marked, routed into a TUN device, and come out of it later; everything else is forwarded as usual. Runs as root in the machine's namespace.
"""

import fcntl
import os
import struct
import subprocess
import sys
import threading

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000


def main(seconds):
    tun = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", b"hold", IFF_TUN | IFF_NO_PI))
    for command in ("ip link set hold up", "sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.hold.rp_filter=0",
                    "iptables -t mangle -A PREROUTING -i wire -p tcp --tcp-flags SYN,ACK SYN,ACK -j MARK --set-mark 1",
                    "ip rule add fwmark 1 lookup 100", "ip route add default dev hold table 100"):
        subprocess.run(command.split(), check=True)
    while True:
        packet = os.read(tun, 65536)
        if packet[0] >> 4 == 4:  # what the device says of itself is IPv6
            threading.Timer(seconds, os.write, (tun, packet)).start()


if __name__ == "__main__":
    main(float(sys.argv[1]))
