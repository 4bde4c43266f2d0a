#!/usr/bin/env bash
# Makes the profile that releases are compiled with (docs/decisions/0026): has the just-in-time compiler count, while traces are
# analysed, how often each branch of the project's code is taken and what each virtual call is made on, and writes that down.
#
#   tools/profile/make-profile.sh TRACE…      beside these, every trace of tests/fixtures
#
# Needs nothing but the SDK. docs/benchmarks/README.md says which traces to give.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
records=$(mktemp -d)
trap 'rm -rf "$records"' EXIT

dotnet build "$root/tools/profile/TcpDiag.Profile" -c Release --nologo -v q -p:RunAnalyzers=false
programs=$root/artifacts/bin/TcpDiag.Profile/release

# record COMMAND… : the counters of one run
number=0
record() {
  number=$((number + 1))
  # All code counts, that with loops too (ReadyToRun, TieredPGO_InstrumentOnlyHotCode, TC_QuickJitForLoops), and until the end: it is
  # never compiled anew, neither because it was called often (TC_CallCounting) nor within a loop (TC_OnStackReplacement).
  DOTNET_TieredPGO=1 DOTNET_TieredPGO_InstrumentOnlyHotCode=0 DOTNET_ReadyToRun=0 \
    DOTNET_TC_CallCounting=0 DOTNET_TC_OnStackReplacement=0 DOTNET_TC_QuickJitForLoops=1 \
    DOTNET_WritePGOData=1 DOTNET_PGODataPath="$records/$number" \
    dotnet "$programs/tcpdiag.dll" "$@" >"$records/out"
}

for trace in "$root"/tests/fixtures/*.pcapng "$root"/tests/fixtures/stories/*.pcapng "$@"; do
  record analyze "$trace"
  record analyze "$trace" --json
  record convert "$trace" "$records/converted.pcapng" --force
done
rm "$records/out" "$records/converted.pcapng"
dotnet "$programs/TcpDiag.Profile.dll" "$root/src/TcpDiag.Cli/Properties/PublishProfiles/release.mibc" "$records"/*
