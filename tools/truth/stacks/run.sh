#!/usr/bin/env bash
# Records transfers of a TCP that is neither the kernel's nor ours, over emulated paths, at the sender: gVisor's (Debian's golang-gvisor-gvisor-dev) or lwIP
# (Debian's liblwip-dev).
#
#   run.sh gvisor|lwip TCPDIAG SEND OUT SEED [BYTES]
#
# TCPDIAG is the program, SEND what the stack's folder was built to:
#   cd gvisor && GO111MODULE=off GOPATH=/usr/share/gocode go build -o SEND .
#   gcc -O2 -Wall -I/usr/include/lwip -o SEND lwip/main.c -llwip
# As root; everything happens in a network namespace of its own. OUT gets CONGESTION-RECOVERY-PATH.pcap, a file for each run.
set -euo pipefail

stack=$1 tcpdiag=$2 send=$3 out=$4 seed=$5 bytes=${6:-20000000}
case $stack in
  gvisor) device=tun settings=(cubic-rack cubic-sack reno-rack reno-sack) ;;
  lwip) device=tap settings=(reno-lwip) ;; # it has no other, and no SACK for what it sends
  *) echo "run.sh gvisor|lwip TCPDIAG SEND OUT SEED [BYTES]" >&2; exit 2 ;;
esac
namespace=tcpdiag-stacks-$$
far=10.201.7.2 near=10.201.7.1 port=5001
declare -A paths=(
  [late-50]="--rate 30mbit --rtt 50ms --buffer 1bdp --reorder in:1pct:add:25ms"
  [late-90]="--rate 30mbit --rtt 90ms --buffer 1bdp --reorder in:2pct:add:30ms --loss in:0.05pct"
  [early-60]="--rate 30mbit --rtt 60ms --buffer 1bdp --reorder in:1pct:replace:6ms"
  [loss-30]="--rate 30mbit --rtt 30ms --buffer 2bdp --loss in:0.05pct"
  [queue-40]="--rate 20mbit --rtt 40ms --buffer 0.7bdp"
)

mkdir -p "$out"
ip netns add "$namespace"
trap 'ip netns del "$namespace"' EXIT
inside() { ip netns exec "$namespace" "$@"; }
start() { exec ip netns exec "$namespace" "$@"; } # with & alone: what it starts has the number that $! says
inside ip link set lo up
inside ip tuntap add tun0 mode $device
inside ip address add "$near/24" dev tun0
inside ip link set tun0 up

receive='
import socket
listener = socket.create_server(("'"$near"'", '"$port"'))
connection, _ = listener.accept()
while connection.recv(1 << 16):
    pass
'

transfer() { # congestion recovery
  if [[ $stack == lwip ]]; then
    PRECONFIGURED_TAPIF=tun0 timeout 50 ip netns exec "$namespace" "$send" "$far" "$near" "$port" "$bytes"
  else
    timeout 50 ip netns exec "$namespace" "$send" -tun tun0 -from "$far" -to "$near:$port" -bytes "$bytes" -congestion "$1" -recovery "$2"
  fi
}

record() { # congestion recovery path
  local file=$out/$1-$2-$3.pcap emulation receiver capture
  start python3 -c "$receive" & receiver=$!
  # shellcheck disable=SC2086 # the words of a path
  start "$tcpdiag" shim run --match "host $far tcp port $port" ${paths[$3]} --seed "$seed" --for 60s >"$file.shim" 2>&1 & emulation=$!
  start tcpdump -U -q -i tun0 -s 96 -w "$file" "tcp port $port" 2>/dev/null & capture=$!
  for _ in {1..200}; do # until somebody listens to the queue
    inside grep -q . /proc/net/netfilter/nfnetlink_queue 2>/dev/null && break
    sleep 0.1
  done
  sleep 0.5
  transfer "$1" "$2" || echo "$file: it did not end in time"
  sleep 0.5
  kill -TERM "$emulation" "$capture" 2>/dev/null || true
  wait "$emulation" "$capture" 2>/dev/null || true
  kill "$receiver" 2>/dev/null || true
  wait "$receiver" 2>/dev/null || true
}

for path in "${!paths[@]}"; do
  for setting in "${settings[@]}"; do
    record "${setting%-*}" "${setting#*-}" "$path"
  done
done
