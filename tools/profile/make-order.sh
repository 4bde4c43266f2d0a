#!/usr/bin/env bash
# Makes the order in which the native program's methods lie in its file (docs/decisions/0069): those that commands run stand together,
# the ones that every command runs first, so that a run touches few pages of the program.
#
#   tools/profile/make-order.sh TRACE…      beside these, every trace of tests/fixtures; a run takes fifty times as long as usual
#
# Needs valgrind and binutils beside the SDK. Make the profile (make-profile.sh) first: what is inlined depends on it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$root/src/TcpDiag.Cli/Properties/PublishProfiles/release.order
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

traces=()
for trace in "$@"; do
  [ -r "$trace" ] || { echo "make-order: $trace cannot be read" >&2; exit 1; }
  traces+=("$(realpath "$trace")") # commands run in a folder of their own
done

rm -rf "$root/artifacts/obj/TcpDiag.Cli/release_linux-x64/native"
dotnet publish "$root/src/TcpDiag.Cli" -r linux-x64 -p:PublishProfile=release -p:RunAnalyzers=false -o "$work/published" -v quiet --nologo

# valgrind stumbles over the lines of the symbol file, and wants only names.
native=$root/artifacts/bin/TcpDiag.Cli/release_linux-x64/native
objcopy --strip-debug "$native/tcpdiag.dbg" "$work/published/tcpdiag.dbg"
(cd "$work/published" && objcopy --remove-section=.gnu_debuglink --add-gnu-debuglink=tcpdiag.dbg "$native/tcpdiag" tcpdiag)
nm "$native/tcpdiag.dbg" | sed -n 's/^[0-9a-f]* t //p' | grep -v '^_Z' | sort -u >"$work/methods" # those that start with _Z are the runtime's own, in C++

# record COMMAND… : the methods that a run calls
number=0
record() {
  number=$((number + 1))
  rm -f "$work/calls"
  # A command may well end with something else than 0: what it ran counts.
  (cd "$work" && valgrind -q --tool=callgrind --demangle=no --callgrind-out-file="$work/calls" "$work/published/tcpdiag" "$@" >"$work/printed" 2>&1) || true
  sed -nE "s/^c?fn=\([0-9]+\) //p" "$work/calls" | sed -E "s/'[0-9]+\$//" | sort -u | comm -12 - "$work/methods" >"$work/run-$number"
}

record --version
record analyze --help
record demo --recorded
for trace in "$root"/tests/fixtures/*.pcapng "$root"/tests/fixtures/stories/*.pcapng "${traces[@]}"; do
  record analyze "$trace"
  record analyze "$trace" --json
done
for trace in "$root"/tests/fixtures/*.pcapng "${traces[@]}"; do
  record analyze "$trace" --html "$work/report-$number.html"
  record info "$trace"
  record convert "$trace" "$work/converted-$number.pcapng"
done

# A method's place goes by the number of runs that call it.
sort "$work"/run-* | uniq -c | sort -k1,1nr -k2 | sed -E 's/^ *[0-9]+ //' >"$out"
echo "$(wc -l <"$out") methods of $number runs: $out"
