#!/usr/bin/env bash
# Records transfers of a TCP that is neither the kernel's nor ours (gvisor/, by Debian's golang-gvisor-gvisor-dev), over emulated paths, at the sender.
#
#   run.sh TCPDIAG SEND OUT SEED [BYTES]
#
# TCPDIAG is the program, SEND what gvisor/ was built to:
#   cd gvisor && GO111MODULE=off GOPATH=/usr/share/gocode go build -o SEND .
# As root; everything happens in a network namespace of its own. OUT gets CONGESTION-RECOVERY-PATH.pcap, a file for each run.
set -euo pipefail

tcpdiag=$1 send=$2 out=$3 seed=$4 bytes=${5:-20000000}
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
inside ip tuntap add tun0 mode tun
inside ip address add "$near/24" dev tun0
inside ip link set tun0 up

receive='
import socket
listener = socket.create_server(("'"$near"'", '"$port"'))
connection, _ = listener.accept()
while connection.recv(1 << 16):
    pass
'

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
  timeout 50 ip netns exec "$namespace" "$send" -tun tun0 -from "$far" -to "$near:$port" -bytes "$bytes" -congestion "$1" -recovery "$2" || echo "$file: it did not end in time"
  sleep 0.5
  kill -TERM "$emulation" "$capture" 2>/dev/null || true
  wait "$emulation" "$capture" 2>/dev/null || true
  kill "$receiver" 2>/dev/null || true
  wait "$receiver" 2>/dev/null || true
}

for path in "${!paths[@]}"; do
  for congestion in cubic reno; do
    for recovery in rack sack; do
      record "$congestion" "$recovery" "$path"
    done
  done
done
