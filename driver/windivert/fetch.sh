#!/bin/sh
# Puts WinDivert 2.2 for x64 into a folder, from a release archive or from a folder that holds its files, and only if they are the ones of SHA256SUMS.
#
#   fetch.sh DESTINATION              downloads the release
#   fetch.sh DESTINATION FOLDER       takes the files from there (WinDivert.dll may be called WinDivert64.dll)
set -eu

release=https://github.com/basil00/WinDivert/releases/download/v2.2.2/WinDivert-2.2.2-A.zip
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: fetch.sh DESTINATION [FOLDER]" >&2; exit 2; }
destination=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# -ge 2 ]; then
  source=$2
else
  curl --fail --location --silent --show-error --output "$work/release.zip" "$release"
  unzip -q "$work/release.zip" -d "$work/release"
  source=$(dirname "$(find "$work/release" -path '*x64*' -name WinDivert64.sys)")
fi

mkdir "$work/checked"
if [ -f "$source/WinDivert.dll" ]; then cp "$source/WinDivert.dll" "$work/checked/"; else cp "$source/WinDivert64.dll" "$work/checked/WinDivert.dll"; fi
cp "$source/WinDivert64.sys" "$work/checked/"
(cd "$work/checked" && sha256sum --check --quiet "$here/SHA256SUMS") || { echo "fetch.sh: these are not the files of SHA256SUMS; nothing was installed" >&2; exit 1; }
mkdir -p "$destination"
cp "$work/checked/WinDivert.dll" "$work/checked/WinDivert64.sys" "$destination/"
echo "WinDivert 2.2 is in $destination"
