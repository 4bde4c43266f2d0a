#!/usr/bin/env bash
# Recreates the field stories in small with real TCP and keeps their captures: tools/fixtures/stories/*.yaml are run by
# tcpdiag lab run, and of each side the captures (STORY-SIDE-sender.pcapng with the sender's kernel events, and
# STORY-SIDE-receiver.pcapng with packets only) and STORY-SIDE.truth.json (how it was made, and the lab's result.json)
# are put into the folder.
#
#   tools/record-stories.sh [FOLDER [STORY…]]      default tests/fixtures/stories, all stories
#
# Needs root, jq, and tcpdiag built (dotnet build -c Release).
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-tests/fixtures/stories}
shift || true
stories=("$@")
[ ${#stories[@]} -gt 0 ] || stories=(s1 s2 s3 s4)
tcpdiag=artifacts/bin/TcpDiag.Cli/release/tcpdiag
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# keep STORY SIDE FOLDER-OF-THE-RUN
keep() {
  local name=$1-$2
  install -m 644 "$3/sender.pcapng" "$folder/$name-sender.pcapng"
  install -m 644 "$3/receiver.pcapng" "$folder/$name-receiver.pcapng"
  jq --arg made "tools/record-stories.sh, Linux $(uname -r | cut -d- -f1), $(date -u +%F)" --slurpfile run "$work/$1/run.json" \
    '{made: $made, what: $run[0].matrix.description, path: $run[0].matrix.path | map({(.name): .values[0]}) | add, result: del(.folder)}' \
    "$3/result.json" >"$folder/$name.truth.json"
  echo "$name: $(stat -c %s "$folder/$name-sender.pcapng") + $(stat -c %s "$folder/$name-receiver.pcapng") bytes"
}

# What a recording must show to be kept, of the runs by side; real TCP does not do the same twice.
expected() {
  case $1 in
    s1) echo '.adaptive.goodputBitsPerSecond > 3 * .fixed.goodputBitsPerSecond and .adaptive.goodputBitsPerSecond > 3 * .["not-adapting"].goodputBitsPerSecond and .fixed.sender.kernel.dsacks > 5' ;;
    s2) echo '.adaptive.goodputBitsPerSecond > 2 * .["not-adapting"].goodputBitsPerSecond' ;;
    s3) echo '.["large-buffer"].goodputBitsPerSecond > 3 * .["small-buffer"].goodputBitsPerSecond' ;;
    s4) echo '.["whole-window"].receiver.outcome == "complete" and .["half-window"].receiver.outcome == "closed"' ;;
  esac
}

# opened_at_once STORY: a lost SYN would be the story then
opened_at_once() {
  for capture in "$work/$1"/*/*/001/sender.pcapng; do
    "$tcpdiag" analyze --json "$capture" | jq -e '[.connections[].handshake.synRetransmissions] | add == 0' >/dev/null || return 1
  done
}

# record STORY: runs it, up to ten times, until it shows what it should; a void run is no witness
record() {
  for seed in {1..10}; do
    rm -rf "${work:?}/$1"
    "$tcpdiag" lab run "tools/fixtures/stories/$1.yaml" --seed "$seed" --out "$work/$1" || continue
    jq -e "[.results[] | {(.side): .}] | add | $(expected "$1")" "$work/$1/run.json" >/dev/null && opened_at_once "$1" && return
  done
  echo "$1: ten recordings did not show what they should" >&2
  return 1
}

mkdir -p "$folder"
for story in "${stories[@]}"; do
  record "$story"
  for run in "$work/$story"/*/*/001; do
    keep "$story" "$(basename "$(dirname "$run")")" "$run"
  done
done
