#!/usr/bin/env bash
# Records a capture of real TCP for the benchmarks: two network namespaces joined by a veth pair without offloads, so
# that every wire segment is a packet of its own; several iperf3 streams in both directions, a share of the segments
# dropped at the receiver, and a row of short connections. Needs root, iperf3, dumpcap (wireshark-common), iptables.
#
#   tools/bench/record-capture.sh OUT.pcapng [PACKETS] [LOSS]
#
# At least so many packets (10 million when not given); the share dropped is 0.0005 of the data, and less of the ACKs.
#
# Bounded: at most 40 rounds, at most 4 GB. Leaves nothing behind, also when interrupted.
set -euo pipefail

out=${1:?usage: record-capture.sh OUT.pcapng [PACKETS] [LOSS]}
packets=${2:-10000000}
loss=${3:-0.0005}
sender=tdb-snd-$$
receiver=tdb-rcv-$$
rounds=40
capture=
servers=()

clean_up() {
  [ -z "$capture" ] || kill -INT "$capture" 2>/dev/null || true
  [ ${#servers[@]} -eq 0 ] || kill "${servers[@]}" 2>/dev/null || true
  ip netns del "$sender" 2>/dev/null || true
  ip netns del "$receiver" 2>/dev/null || true
}
trap clean_up EXIT

ip netns add "$sender"
ip netns add "$receiver"
ip link add s0 netns "$sender" type veth peer name r0 netns "$receiver"
for end in "$sender s0 10.77.0.1" "$receiver r0 10.77.0.2"; do
  read -r namespace device address <<<"$end"
  ip -n "$namespace" addr add "$address/24" dev "$device"
  ip -n "$namespace" link set lo up
  ip -n "$namespace" link set "$device" up
  ip netns exec "$namespace" ethtool -K "$device" tso off gso off gro off tx off rx off >/dev/null
done
ip netns exec "$receiver" iptables -A INPUT -p tcp -m statistic --mode random --probability "$loss" -j DROP
ip netns exec "$sender" iptables -A INPUT -p tcp -m statistic --mode random --probability 0.0002 -j DROP

for port in 5201 5202 5203; do
  ip netns exec "$receiver" iperf3 -s -p "$port" >/dev/null &
  servers+=($!)
done
until ip netns exec "$receiver" ss -Hltn | grep -q ':5203'; do :; done

ip netns exec "$sender" dumpcap -q -i s0 -s 120 -B 512 -a filesize:4000000 -w "$out" 2>"$out.log" &
capture=$!
until grep -qs "^File:" "$out.log"; do kill -0 "$capture"; done

sent() { ip netns exec "$sender" cat /sys/class/net/s0/statistics/tx_packets /sys/class/net/s0/statistics/rx_packets | paste -sd+ | bc; }

round=0
while [ "$round" -lt "$rounds" ] && [ "$(sent)" -lt "$packets" ]; do
  round=$((round + 1))
  ip netns exec "$sender" iperf3 -c 10.77.0.2 -p 5201 -P 3 -M 536 -b 120M -t 10 >/dev/null &
  first=$!
  ip netns exec "$sender" iperf3 -c 10.77.0.2 -p 5202 -P 2 -M 1400 -b 150M -R -t 10 >/dev/null &
  second=$!
  for _ in $(seq 25); do ip netns exec "$sender" iperf3 -c 10.77.0.2 -p 5203 -n 200K >/dev/null || true; done
  wait "$first" "$second"
  echo "round $round: $(sent) packets" >&2
done

sync "$out"
kill -INT "$capture"
wait "$capture" || true
capture=
cat "$out.log" >&2
rm -f "$out.log"
