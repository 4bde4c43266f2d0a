#!/usr/bin/env bash
# Makes the packages of a release, all from one commit, and the sums of them.
#
#   tools/package/package.sh OUT [TARGET…]
#
#   tool          tcpdiag.VERSION.nupkg, for dotnet tool install; needs .NET 10 where it runs
#   linux-x64     one native program, .tar.gz
#   deb           the same as a Debian package, with man pages and completions
#   linux-arm64, osx-arm64    one file with what it needs of .NET inside, .tar.gz
#   win-x64       a folder with the program, .NET and what fetches WinDivert, .zip; with TCPDIAG_RELEASE_URL, where it will lie, also the manifest of winget
#   win-x64-exe   the same as one file, .exe: to analyse, and to record with netsh and pktmon
#   win-arm64     one file with .NET inside, without WinDivert, .zip
#
# Without a target: tool, linux-x64, deb and win-x64. Beside them lie the bill of materials (CycloneDX), the notices of third parties and SHA256SUMS.
# The same commit gives the same bytes wherever it is built with the same SDK: times are those of the commit.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
[ $# -gt 0 ] || { sed -n '2,16p' "$0" | cut -c3-; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- tool linux-x64 deb win-x64

export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 MSBUILDDISABLENODEREUSE=1 LC_ALL=C TZ=UTC
version=$(dotnet msbuild "$root/src/TcpDiag.Cli" -getProperty:Version)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# publish RID : the program for a platform in $work/RID, with licence and notices; where it cannot be native and nothing lies beside it, one file
publish() {
  local folder=$work/$1 how=()
  [ ! -d "$folder" ] || return 0
  case $1 in *-arm64) how=(-p:PublishSingleFile=true -p:IncludeNativeLibrariesForSelfExtract=true) ;; esac
  dotnet publish "$root/src/TcpDiag.Cli" -r "$1" -p:PublishProfile=release "${how[@]}" -p:ContinuousIntegrationBuild=true -p:RunAnalyzers=false -o "$folder" -v quiet --nologo
  find "$folder" -name '*.pdb' -delete
  python3 "$here/components.py" "$root" notices >"$folder/THIRD-PARTY-NOTICES.txt"
  cp "$root/LICENSE" "$folder/LICENSE.txt"
}

tarball() {
  publish "$1"
  local name=tcpdiag-$version-$1
  tar -C "$work" --transform "s,^$1,$name," --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=u=rwX,go=rX -cf - "$1" \
    | gzip -9n >"$out/$name.tar.gz"
}

zipped() {
  publish "$1"
  local name=tcpdiag-$version-$1
  mv "$work/$1" "$work/$name"
  find "$work/$name" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
  rm -f "$out/$name.zip"
  (cd "$work" && find "$name" -type f | sort | zip -9qX -@ "$out/$name.zip")
  mv "$work/$name" "$work/$1"
}

# Compressed, which composite code cannot be: it would be three times as large.
single_exe() {
  local folder=$work/$1-exe
  dotnet publish "$root/src/TcpDiag.Cli" -c Release -r "$1" --self-contained -p:PublishSingleFile=true -p:EnableCompressionInSingleFile=true \
    -p:IncludeNativeLibrariesForSelfExtract=true -p:ContinuousIntegrationBuild=true -p:RunAnalyzers=false -o "$folder" -v quiet --nologo
  cp "$folder/tcpdiag.exe" "$out/tcpdiag-$version-$1.exe"
}

for target; do
  case $target in
    tool) dotnet pack "$root/src/TcpDiag.Cli" -c Release -p:ContinuousIntegrationBuild=true -p:RunAnalyzers=false -o "$out" -v quiet --nologo ;;
    deb)
      publish linux-x64
      "$here/deb.sh" "$work/linux-x64" "$version" "$out"
      ;;
    linux-x64 | linux-arm64 | osx-arm64) tarball "$target" ;;
    win-x64 | win-arm64) zipped "$target" ;;
    win-x64-exe) single_exe win-x64 ;;
    *)
      echo "package.sh: no such target: $target" >&2
      exit 2
      ;;
  esac
done

python3 "$here/components.py" "$root" sbom "$version" >"$out/tcpdiag-$version.cdx.json"
python3 "$here/components.py" "$root" notices >"$out/THIRD-PARTY-NOTICES.txt"
(cd "$out" && rm -f SHA256SUMS && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
[ -z "${TCPDIAG_RELEASE_URL:-}" ] || [ ! -f "$out/tcpdiag-$version-win-x64.zip" ] || "$here/winget.sh" "$version" "$out"
