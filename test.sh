#!/usr/bin/env bash
# Builds the project and runs its tests.
#
#   ./test.sh                 what runs with the .NET SDK and Node.js alone; tests that lack root or a program skip and say so
#   ./test.sh --quick         of that, what needs no real time and no other program
#   ./test.sh --full          everything, Wine and the browser too, with analyzers, and checks the format
#   ./test.sh --long          that, and the long forms: a million fuzz inputs, soak runs
#   ./test.sh --no-install    with --full or --long: installs nothing
#
# As root on Debian, --full and --long install the packages that the suite compares with. Last come the figures of each project, what was skipped and why, and
# "N passed, N failed, N skipped"; the exit code is 0 when nothing failed. Each skipped test with its reason: artifacts/test-results/skipped.tsv.
set -uo pipefail
cd "$(dirname "$0")" || exit 1

packages=(tshark wireshark-common tcptrace tcpdump iproute2 iptables nftables ethtool iperf3 procps python3 python3-venv python3-defusedxml zip unzip chromium wine wine64 gcc-mingw-w64-x86-64 gcc libc6-dev zlib1g-dev zsh fish clickhouse-server zookeeper iputils-ping)
command -v npm >/dev/null || packages+=(nodejs npm) # the build bundles the HTML report's script
peers=../shared/peers
results=artifacts/test-results
form=plain # quick, plain or full
install=yes
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 MSBUILDDISABLENODEREUSE=1
export DOTNET_TieredPGO=0 # compilers and test runs are over before it pays: the build takes 0.6 of the time without

say() { printf '== %s\n' "$*"; }

die() {
  printf 'test.sh: %s\n' "$*" >&2
  exit 1
}

install_packages() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 0
  local missing=()
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  say "install ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  { timeout 300 apt-get update -qq && timeout 900 apt-get install -y -qq --no-install-recommends "${missing[@]}"; } </dev/null >artifacts/apt.log 2>&1 \
    || echo "test.sh: the packages could not be installed (artifacts/apt.log); tests that need them will skip" >&2
}

# An independent .etl parser in a virtual environment of its own, from the files beside the project: no network.
install_dissect() {
  local folder=artifacts/peers python=/usr/bin/python3
  [ -x "$python" ] || python=$(command -v python3) # the packages above belong to the system's Python
  [ -d "$peers" ] && [ -n "$python" ] && [ ! -e "$folder/.ready" ] || return 0
  say "install dissect.etl from $peers"
  { "$python" -m venv --system-site-packages --clear "$folder" \
      && "$folder/bin/pip" install --quiet --no-index --find-links "$peers" dissect.etl \
      && touch "$folder/.ready"; } </dev/null >artifacts/dissect.log 2>&1 \
    || echo "test.sh: dissect.etl could not be installed (artifacts/dissect.log); tests that need it will skip" >&2
}

build() {
  say build
  local how=(-p:UseSharedCompilation=true) # one compiler for all projects takes a third of the time; it ends with the build
  [ $form = full ] || how+=(-p:RunAnalyzers=false) # they take more than half of the time
  dotnet build TcpDiag.sln -c Release -v quiet --nologo "${how[@]}" </dev/null || die "the build failed"
  dotnet build-server shutdown --vbcscompiler </dev/null >/dev/null 2>&1
}

# The program as it is released for this system, by which NativeProgramTests see that nothing it needs was left out. Without a linker those tests skip.
build_native() {
  local folder=artifacts/native
  command -v gcc >/dev/null && [ "$(uname -sm)" = "Linux x86_64" ] || return 0
  [ $folder/tcpdiag -nt artifacts/bin/TcpDiag.Cli/release/tcpdiag.dll ] && return 0
  say "build the native program"
  rm -rf $folder
  local how=(src/TcpDiag.Cli -r linux-x64 -p:PublishProfile=release)
  if ! dotnet restore "${how[@]}" -p:_IsPublishing=true </dev/null >artifacts/native.log 2>&1; then
    echo "test.sh: what a native program is built with is not to be had (artifacts/native.log); its tests will skip" >&2
    return 0
  fi
  dotnet publish "${how[@]}" -o $folder -v quiet --nologo </dev/null
}

# The win-x64 build of the programs that tests/TcpDiag.Wine.Tests runs under Wine, a stand-in for WinDivert.dll, and a Wine prefix: in artifacts/wine,
# made anew when a source is newer. Without Wine, the compiler or the genuine library those tests skip.
build_for_wine() {
  local folder=artifacts/wine compiler=x86_64-w64-mingw32-gcc stand_in=tests/TcpDiag.Wine.Tests/StandIn project
  command -v wine >/dev/null && command -v $compiler >/dev/null || return 0
  [ -e $folder/.ready ] && [ -z "$(find src driver tests/TcpDiag.Wine.Host tests/TcpDiag.Capture.StandIns $stand_in -newer $folder/.ready -type f -print -quit)" ] && return 0
  say "build for Wine"
  rm -f $folder/.ready
  for project in src/TcpDiag.Cli:tcpdiag tests/TcpDiag.Capture.StandIns:standins tests/TcpDiag.Wine.Host:winehost; do
    dotnet publish "${project%:*}" -c Release -r win-x64 --self-contained -o "$folder/${project#*:}" -v quiet --nologo </dev/null || return 1
  done
  mkdir -p $folder/genuine $folder/standin
  if [ -d ../shared/windivert ]; then
    cp ../shared/windivert/WinDivert64.* $folder/standin/
    cp ../shared/windivert/WinDivert64.sys $folder/genuine/
    cp ../shared/windivert/WinDivert64.dll $folder/genuine/WinDivert.dll
    $compiler -O2 -Wall -Wextra -Werror -Wno-unused-parameter -shared -static-libgcc -o $folder/standin/WinDivert.dll $stand_in/windivert.c $stand_in/windivert.def -lws2_32 || return 1
  fi
  [ -d $folder/prefix ] || WINEPREFIX=$PWD/$folder/prefix WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= timeout 300 wineboot -i </dev/null >artifacts/wine.log 2>&1
  # Windows of consoles need no screen.
  WINEPREFIX=$PWD/$folder/prefix WINEDEBUG=-all timeout 60 wine reg add 'HKCU\Software\Wine\Drivers' /v Graphics /d null /f </dev/null >>artifacts/wine.log 2>&1
  touch $folder/.ready
}

# The build with analyzers has judged the style (EnforceCodeStyleInBuild); what it does not see are line ends and final newlines.
check_format() {
  say format
  dotnet format whitespace . --folder --verify-no-changes --exclude artifacts </dev/null && return 0
  echo "test.sh: dotnet format finds something to change" >&2
  return 1
}

# What measures real time or real packets runs by itself; the other projects two at a time, the longest first. What failed runs again after all of them.
run_tests() {
  rm -rf "$results"
  mkdir -p "$results"
  local status=0 name alone=() together=() failed=()
  for name in tests/*.Tests; do
    name=${name#tests/}
    case $form:$name in
      full:*.Wine.Tests | *:*.Cli.Tests | quick:*.Capture.Tests) together=("$name" "${together[@]}") ;;
      full:*.Browser.Tests) together+=("$name") ;;
      *.Browser.Tests | *.Wine.Tests) ;;
      quick:*) together+=("$name") ;;
      *.Capture.Tests | *.Lab.Tests | *.Shim.Tests) alone+=("$name") ;;
      *) together+=("$name") ;;
    esac
  done

  for name in "${alone[@]}"; do
    run_project "$name" || failed+=("$name")
  done
  run_side_by_side "${together[@]}"
  for name in "${failed[@]}"; do
    run_again "$name" || status=1
  done
  return $status
}

run_project() {
  local how=(--blame-hang-timeout 20m --blame-hang-dump-type none) begun=$SECONDS status=0
  [ $form != quick ] || how=(--filter "Needs!=time") # who watches for a test that hangs takes two seconds of each project
  say "$1"
  dotnet test "artifacts/bin/$1/release/$1.dll" "${how[@]}" --logger "console;verbosity=minimal" --logger "trx;LogFileName=$1.trx" \
    --results-directory "$results" </dev/null || status=1
  echo $((SECONDS - begun)) >"$results/$1.seconds"
  return $status
}

# Prints what a project says when it has ended, and adds to "failed" of run_tests. A function in the background, unlike a lone command, does not make its
# programs ignore SIGINT, which tests of interruption send.
run_side_by_side() {
  local name ended
  local -A running=()
  for name in "$@" ""; do
    while [ ${#running[@]} -eq 2 ] || [ -z "$name" -a ${#running[@]} -gt 0 ]; do
      wait -n -p ended || failed+=("${running[$ended]}")
      cat "$results/${running[$ended]}.log"
      unset "running[$ended]"
    done
    [ -n "$name" ] || break
    run_project "$name" >"$results/$name.log" 2>&1 &
    running[$!]=$name
  done
}

# Tests of real packets, real time and Wine can fail on a machine that stood still for a while. Up to ten that failed run once more, alone; what passes then
# counts as passed and is named in the last lines.
run_again() {
  local failed
  failed=$(sed -n 's/.*<UnitTestResult .* testName="\([^"(]*\).* outcome="Failed".*/\1/p' "$results/$1.trx")
  [ -n "$failed" ] && [ "$(wc -l <<<"$failed")" -le 10 ] || return 1
  say "$1, once more:" $failed
  dotnet test "artifacts/bin/$1/release/$1.dll" --filter "$(sort -u <<<"$failed" | sed 's/^/FullyQualifiedName=/' | paste -sd '|')" \
    --logger "console;verbosity=normal" --blame-hang-timeout 20m --blame-hang-dump-type none --results-directory "$results/again" </dev/null || return 1
  echo "$failed" >>"$results/passed-alone.txt"
}

list_skipped() {
  awk '/outcome="NotExecuted"/ { match($0, /testName="[^"]*"/); test = substr($0, RSTART + 10, RLENGTH - 11) }
       test != "" && /<Message>/ { gsub(/.*<Message>|<\/Message>.*/, ""); printf "%s\t%s\n", $0, test; test = "" }' "$results"/*.trx |
    sort >"$results/skipped.tsv"
}

# A line for each project: how long it took, and what became of its tests.
list_projects() {
  local trx name
  for trx in "$results"/*.trx; do
    name=$(basename "$trx" .trx)
    sed -n 's/.*<Counters total="\([0-9]*\)" executed="\([0-9]*\)" passed="\([0-9]*\)" failed="\([0-9]*\)".*/\1 \2 \3 \4/p' "$trx" | {
      read -r total executed passed failed
      printf '%-28s %5d s %6d passed %4d failed %5d skipped\n' "$name" "$(cat "$results/$name.seconds")" "$passed" "$failed" $((total - executed))
    }
  done
}

report() {
  list_projects
  list_skipped
  cut -f 1 "$results/skipped.tsv" | uniq -c | sed 's/^ */skipped /'
  touch "$results/passed-alone.txt"
  sed 's/^/passed only when run alone: /' "$results/passed-alone.txt"
  cat "$results"/*.trx | awk -v alone="$(wc -l <"$results/passed-alone.txt")" '
    function attribute(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : 0 }
    /<Counters / { total += attribute("total"); executed += attribute("executed"); passed += attribute("passed") }
    END { passed += alone; failed = executed - passed; printf "%d passed, %d failed, %d skipped\n", passed, failed, total - executed; exit (failed > 0 || passed == 0) }'
}

while [ $# -gt 0 ]; do
  case $1 in
    --quick) export TCPDIAG_QUICK=1 form=quick ;;
    --full) form=full ;;
    --long) export TCPDIAG_LONG=1 form=full ;;
    --no-install) install=no ;;
    *) echo "usage: ./test.sh [--quick | --full | --long] [--no-install]" >&2; exit 2 ;;
  esac
  shift
done

command -v dotnet >/dev/null || die "no dotnet on the path; the .NET SDK that global.json names is needed"
mkdir -p artifacts
[ $form:$install != full:yes ] || { install_packages; install_dissect; }
command -v npm >/dev/null || die "no npm on the path; Node.js 20 or later is needed to build the HTML report"
build
status=0
if [ $form = full ]; then
  check_format || status=1
  # These restore anew, for one system: behind what needs the restored state of the build.
  build_native || die "the native build failed"
  build_for_wine || die "the win-x64 build failed"
fi
run_tests || status=1
report || status=1
exit $status
