# A machine with much that is wrong, in namespaces of its own. Called with the program as its argument, and with options for it; --json if not given.
mount -t tmpfs none /run && mkdir /run/netns || exit 9
mount -t sysfs sysfs /sys
ip link set lo up
ip netns add far
ip link add near0 type veth peer name far0 netns far
ip addr add 10.77.0.1/24 dev near0
ip link set near0 up
ip -n far addr add 10.77.0.2/24 dev far0
ip -n far link set far0 up
ip -n far link set far0 mtu 1280
sysctl -qw net.ipv4.tcp_window_scaling=0
sysctl -qw net.ipv4.tcp_rmem="4096 65536 131072"
ethtool -K near0 gro off > /dev/null
printf 'nameserver 10.77.0.99\n' > /run/resolv.conf
mount --bind /run/resolv.conf /etc/resolv.conf
program=$1
shift
[ $# -gt 0 ] || set -- --json
"$program" doctor --host 10.77.0.2:8080 "$@"
