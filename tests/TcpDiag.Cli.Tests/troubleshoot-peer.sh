# A customer's machine and one that runs `lab serve`, over a path that drops each 100th packet on the way in:
# troubleshoot-peer.sh PROGRAM FOLDER OPTION [wrong-token | goes-away] [OPTION…]
program=$1 folder=$2 what=$3 watch=
shift 3
case $1 in
wrong-token | goes-away)
    trouble=$1
    shift
    ;;
esac
mount -t tmpfs none /run && mkdir /run/netns || exit 90
mount -t sysfs sysfs /sys
: > /run/resolv.conf
mount --bind /run/resolv.conf /etc/resolv.conf
ip netns add client && ip netns add server || exit 91
ip -n client link set lo up
ip -n server link set lo up
echo "correct horse" > /run/token
"$program" shim run --near client --far server --network 10.200.77.0 --rate 20mbit --rtt 40ms --buffer 1bdp --loss in:every:100 --for 90s > /run/shim.txt 2>&1 &
shim=$!
n=0
until ip -n client route show 10.200.77.0/24 | grep -q dev; do
    sleep 0.1
    n=$((n + 1))
    [ $n -lt 100 ] || { cat /run/shim.txt >&2; exit 93; }
done
for end in client server; do
    ip -n $end route replace $(ip -n $end route show 10.200.77.0/24) congctl cubic
done
ip netns exec server "$program" lab serve --listen 10.200.77.2:5202 --token-file /run/token > /run/serve.txt 2>&1 &
serve=$!
until grep -q listening /run/serve.txt; do sleep 0.1; done
[ "$trouble" != wrong-token ] || echo "wrong horse" > /run/token
if [ "$trouble" = goes-away ]; then
    # Half way: the first 256 KiB have come, before which the other machine counts as one that is not there, and a part of what follows, for 10 s.
    until ip netns exec server awk 'NR > 2 && $1 != "lo:" && $2 > 450000 { found = 1 } END { exit !found }' /proc/net/dev; do
        sleep 0.1
    done && kill -9 $serve &
    watch=$!
fi
ip netns exec client "$program" troubleshoot "$what" 10.200.77.2 --token-file /run/token --yes --limit 60s --out "$folder" --language "${language:-en}" "$@"
code=$?
kill $serve $shim $watch 2> /dev/null
wait $shim
exit $code
