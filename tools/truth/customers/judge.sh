#!/usr/bin/env bash
# Runs cases as customers meet them and judges the answers: judge.sh PROGRAM OUT SEED… [-- CASE…]
#
# OUT/results.tsv: case, seed, exit code that is right, exit code found, whether the first step is right, both. Two cases run at a time. Without CASE all but
# healthy traffic. The last lines are the counts of each case. As root; everything happens in namespaces of its own.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 3 ] || { sed -n '2,5p' "$0" | cut -c3-; exit 2; }
program=$(realpath "$1") out=$2
shift 2
seeds=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do seeds+=("$1"); shift; done
cases=("${@:2}")
[ ${#cases[@]} -gt 0 ] || mapfile -t cases < <(cd "$here" && python3 -c 'from cases import CASES; print(*(name for name in CASES if name != "healthy"), sep="\n")')
mkdir -p "$out"
out=$(realpath "$out")

run() { # CASE SEED
  local folder=$out/$1-$2
  unshare -mn python3 "$here/run.py" "$program" "$1" "$folder" "$2" >"$folder.txt" 2>"$folder.log"
  python3 "$here/score.py" "$1" "$2" $? "$folder.txt" >>"$out/results.tsv"
}
export -f run
export out here program
for seed in "${seeds[@]}"; do printf '%s\n' "${cases[@]/%/ $seed}"; done | xargs -P 2 -L 1 bash -c 'run "$0" "$1"'
python3 "$here/score.py" --sum "$out/results.tsv"
