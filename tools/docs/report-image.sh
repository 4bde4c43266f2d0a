#!/usr/bin/env bash
# Draws docs/images/report.png: the page that analyze --html makes of a recorded connection, in Chromium.
#
#   tools/docs/report-image.sh [tcpdiag]
set -euo pipefail
cd "$(dirname "$0")/../.."
tcpdiag=${1:-artifacts/bin/TcpDiag.Cli/release/tcpdiag}
page=$(mktemp -d)
trap 'rm -r "$page"' EXIT

"$tcpdiag" analyze tests/fixtures/stories/s1-fixed-sender.pcapng --html "$page/report.html" >/dev/null
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1200,2560 --virtual-time-budget=5000 \
  --screenshot="$page/report.png" "file://$page/report.html" 2>/dev/null
mv "$page/report.png" docs/images/report.png
