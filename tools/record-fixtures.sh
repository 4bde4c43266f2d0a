#!/usr/bin/env bash
# Records the project's own small traces: real TCP of this machine's kernel between two network namespaces, over a path
# with delay, a rate and chosen losses (tools/fixtures/relay.py), captured at the sender, headers only.
# Beside each trace NAME.truth.json says how it was made and what the sender's kernel counted.
#
#   tools/record-fixtures.sh [FOLDER]      default tests/fixtures; demo.pcapng goes to src/TcpDiag.Cli/Demo
#
# Needs root, python3, iproute2, dumpcap. Bounded in time; leaves nothing behind, also when interrupted.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-tests/fixtures}
tools=tools/fixtures
sender=tdf-snd-$$
receiver=tdf-rcv-$$
work=$(mktemp -d)
started=()

clean_up() {
  [ ${#started[@]} -eq 0 ] || kill "${started[@]}" 2>/dev/null || true
  ip netns del "$sender" 2>/dev/null || true
  ip netns del "$receiver" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT

on_sender() { timeout 60 ip netns exec "$sender" "$@"; }
on_receiver() { timeout 60 ip netns exec "$receiver" "$@"; }
wait_for() { until grep -qs "$1" "$2"; do read -rt 0.05 <> <(:) || true; done; }

# lay_path RELAY-OPTIONS…
lay_path() {
  mkfifo "$work/hold"
  # shellcheck disable=SC2094
  python3 "$tools/relay.py" "$sender" "$receiver" "$@" <"$work/hold" >"$work/relay" &
  relay=$!
  started+=("$relay")
  exec 8>"$work/hold"
  wait_for ready "$work/relay"
  for end in "$sender 1" "$receiver 2"; do
    read -r namespace host <<<"$end"
    ip -n "$namespace" link set tap0 address "02:00:00:00:00:0$host"
    ip -n "$namespace" addr add "10.78.0.$host/24" dev tap0
    ip -n "$namespace" addr add "fd78::$host/64" dev tap0 nodad
    ip -n "$namespace" link set tap0 up
  done
}

lift_path() {
  exec 8>&-
  wait "$relay"
  rm -f "$work/hold"
}

start_capture() {
  on_sender dumpcap -q -i tap0 -s "$1" -f tcp -w "$work/capture.pcapng" 2>"$work/dumpcap" &
  capture=$!
  started+=("$capture")
  wait_for '^File:' "$work/dumpcap"
}

stop_capture() {
  # dumpcap hands packets on in blocks, at the latest after a quarter of a second.
  read -rt 1 <> <(:) || true
  kill -INT "$(pgrep -P "$capture" | head -1 || echo "$capture")"
  wait "$capture" || true
}

# transfer NAME "SERVER-OPTIONS" ADDRESS PORT BYTES SENDER-OPTIONS…; leaves NAME.json
transfer() {
  local name=$1 serving=$2 address=$3 port=$4
  shift 4
  # shellcheck disable=SC2086
  on_receiver python3 "$tools/transfer.py" serve "$port" $serving >"$work/$name.server" &
  started+=($!)
  wait_for ready "$work/$name.server"
  on_sender python3 "$tools/transfer.py" send "$address" "$port" "$@" >"$work/$name.json"
}

# finish NAME "WORDS" TARGET: puts the trace and its note in place
finish() {
  mv "$work/capture.pcapng" "$3"
  chmod 644 "$3"
  local counted
  counted=$(cat "$work"/*.json | paste -sd, -)
  printf '{\n  "made": "tools/record-fixtures.sh, Linux %s, %s",\n  "what": "%s",\n  "path": %s,\n  "senders": [\n    %s\n  ]\n}\n' \
    "$(uname -r | cut -d- -f1)" "$(date -u +%F)" "$2" "$(tail -n 1 "$work/relay")" "${counted//\},/\},$'\n'    }" >"${3%.pcapng}.truth.json"
  rm -f "$work"/*.json
  echo "$1: $(stat -c %s "$3") bytes"
}

# record NAME "WORDS" "RELAY-OPTIONS" SNAP "SERVER-OPTIONS" ADDRESS BYTES SENDER-OPTIONS…
record() {
  local name=$1 words=$2 relaying=$3 snap=$4 serving=$5
  shift 5
  local address=$1
  shift
  # shellcheck disable=SC2086
  lay_path $relaying
  start_capture "$snap"
  transfer "$name" "$serving" "$address" 443 "$@"
  stop_capture
  lift_path
  finish "$name" "$words" "$folder/$name.pcapng"
}

record_demo() {
  lay_path --delay-ms 20 --mbit 50 --drop 120,121,200
  start_capture 96
  transfer loss "" 10.78.0.2 443 350000 &
  local pids=($!)
  transfer small "" 10.78.0.2 21 120000 --outstanding 8000 --write 4000 &
  pids+=($!)
  transfer zero "--receive-buffer 8000 --pause-after 30000 --pause-ms 1200" 10.78.0.2 445 120000 &
  pids+=($!)
  transfer reset "--reset-after 20000" 10.78.0.2 8080 60000 &
  pids+=($!)
  wait "${pids[@]}"
  stop_capture
  lift_path
  mkdir -p src/TcpDiag.Cli/Demo
  finish demo "Four uploads at once: losses (port 443), a small send buffer (21), a reader that stops (445), a reset (8080)" src/TcpDiag.Cli/Demo/demo.pcapng
}

ip netns add "$sender"
ip netns add "$receiver"
ip -n "$sender" link set lo up
ip -n "$receiver" link set lo up
mkdir -p "$folder"

record bulk-loss "Upload of 500 kB over 20 Mbit/s and 40 ms; five segments lost" "--drop 60,61,150,230,231" 96 "" 10.78.0.2 500000
record send-buffer "Upload of 120 kB with at most 8 kB unacknowledged, as a send buffer of 8 kB allows, over 40 ms" "" 96 "" 10.78.0.2 120000 --outstanding 8000 --write 4000
record zero-window "Upload of 150 kB to a reader that stops for 1.5 s behind a small receive buffer" "" 96 "--receive-buffer 8000 --pause-after 40000 --pause-ms 1500" 10.78.0.2 150000
record ipv6 "Upload of 150 kB over IPv6, answered by 100 kB" "" 114 "--ipv6 --reply 100000" fd78::2 150000
record reset "Upload that the receiver resets after 50 kB" "" 96 "--reset-after 50000" 10.78.0.2 200000
record_demo
