"""Network namespaces in a mount namespace of its own, for what runs as root within `unshare -mn`."""

import shlex
import subprocess
from pathlib import Path


def within(namespace, *command):
    """A command, run in a namespace; in that of the caller where none is named."""
    return ["ip", "netns", "exec", namespace, *command] if namespace else list(command)


def shell(command, namespace=""):
    subprocess.run(within(namespace, *shlex.split(command)), check=True, stdout=subprocess.DEVNULL)


def make(namespaces, resolver):
    """Makes them, and has programs ask the name servers of a resolv.conf."""
    shell("mount -t tmpfs none /run")
    Path("/run/netns").mkdir()
    shell("mount -t sysfs sysfs /sys")
    file = Path("/run/resolv.conf")
    file.write_text(resolver)
    shell(f"mount --bind {file} /etc/resolv.conf")
    for namespace in namespaces:
        shell(f"ip netns add {namespace}")
        shell("ip link set lo up", namespace)
