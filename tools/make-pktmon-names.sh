#!/bin/sh
# Makes src/TcpDiag.Traces/EtlPackets/Generated/pktmon-names.tsv: R (drop reason, decimal) or L (drop location, hex), number, name.
# Source: ../shared/design/pktmon-enums.tsv, from the Windows headers.
set -eu
cd "$(dirname "$0")/.."
awk -F'\t' '
    $1 == "PKTMON_DROP_REASON"   { sub(/^PktMonDrop_/, "", $4); print "R\t" $2 "\t" $4 }
    $1 == "PKTMON_DROP_LOCATION" { sub(/^PMLOC_/, "", $4); print "L\t" substr($3, 3) "\t" $4 }
' ../shared/design/pktmon-enums.tsv > src/TcpDiag.Traces/EtlPackets/Generated/pktmon-names.tsv
