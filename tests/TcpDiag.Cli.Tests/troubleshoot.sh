# A customer's machine, an emulated path and a web server, in namespaces of their own: troubleshoot.sh PROGRAM CASE FOLDER [SEED [LANGUAGE]]
program=$1 case=$2 folder=$3 seed=${4:-1} language=${5:-en}
mount -t tmpfs none /run && mkdir /run/netns || exit 90
mount -t sysfs sysfs /sys
mount -t tmpfs -o mode=755 none /var/lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: > /run/resolv.conf
mount --bind /run/resolv.conf /etc/resolv.conf
ip netns add client && ip netns add server || exit 91
ip -n client link set lo up
ip -n server link set lo up
path="--rate 20mbit --rtt 30ms --buffer 1bdp"
file=fast
upload= reproduce= apply= for=90s bytes=4000000 limit=20s
case $case in
healthy) ;;
longer) file=long limit=8s ;;
path-loss) path="--rate 50mbit --rtt 60ms --buffer 1bdp --loss in:1pct" ;;
reordering)
    # Packets come later than the server waits with a repair, a quarter of the shortest round trip at most, also where a busy machine makes that 150 ms.
    path="--rate 50mbit --rtt 60ms --buffer 1bdp --reorder in:3pct:add:40ms"
    ip netns exec server sysctl -qw net.ipv4.tcp_recovery=3 net.ipv4.tcp_dsack=0 net.ipv4.tcp_timestamps=0
    ;;
small-window | apply | apply-useless | apply-killed)
    ip netns exec client sysctl -qw net.ipv4.tcp_rmem="4096 16384 32768"
    [ $case = small-window ] || file=middle apply="--apply 1" for=150s
    # What is fetched once more does not come: the change is in force until the limit.
    [ $case = apply-killed ] && file=once
    # The path is as slow as the window allows.
    [ $case = apply-useless ] && path="--rate 4mbit --rtt 30ms --buffer 1bdp"
    ;;
bufferbloat)
    path="--rate 4mbit --rtt 20ms --buffer 1mb"
    reproduce=yes limit=12s
    ;;
enough)
    path="--rate 20mbit --rtt 60ms --buffer 1bdp --loss 2pct"
    reproduce=yes bytes=40000000 limit=60s
    ;;
enough-url)
    ip netns exec client sysctl -qw net.ipv4.tcp_rmem="4096 16384 32768"
    file=long limit=60s
    ;;
black-hole)
    ip netns exec server iptables -A INPUT -m length --length 1200:65535 -j DROP || exit 92
    upload="--upload 1mb"
    ;;
silent-black-hole) ip netns exec server iptables -A INPUT -p icmp -m length --length 1200:65535 -j DROP &&
    ip netns exec server iptables -A OUTPUT -p tcp -m length --length 1200:65535 -j DROP || exit 92 ;;
slow-answers) file=slow ;;
esac
"$program" shim run --near client --far server $path --seed "$seed" --for $for > "$work/shim.txt" 2>&1 &
shim=$!
ip netns exec server python3 - > "$work/server.txt" 2>&1 <<'PYTHON' &
import http.server, socket, time
seen = set()
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        if self.path == "/slow":
            time.sleep(2.5)
        if self.path == "/once" and self.path in seen:
            time.sleep(3600)
        seen.add(self.path)
        size = {"/slow": 100_000, "/middle": 2_000_000, "/once": 2_000_000, "/long": 100_000_000}.get(self.path, 6_000_000)
        self.send_response(200)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        self.wfile.write(bytes(size))
    def do_PUT(self):
        left = int(self.headers["Content-Length"])
        while left > 0:
            left -= len(self.rfile.read(min(left, 65536)))
        self.send_response(204)
        self.end_headers()
    def log_message(self, *args):
        pass
server = http.server.ThreadingHTTPServer(("0.0.0.0", 8080), Handler)
server.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"cubic")
server.serve_forever()
PYTHON
server=$!
n=0
until ip netns exec client python3 -c 'import socket; socket.create_connection(("10.200.0.2", 8080), 1)' 2> /dev/null; do
    n=$((n + 1))
    [ $n -lt 50 ] || { cat "$work/shim.txt" "$work/server.txt" >&2; exit 93; }
done
if [ -n "$reproduce" ]; then
    # The customer does what is slow, by hand: an upload.
    ip netns exec client python3 - $bytes << 'PYTHON' &
import socket, sys, time
time.sleep(2)
size = int(sys.argv[1])
upload = socket.create_connection(("10.200.0.2", 8080))
upload.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"cubic")
upload.sendall(b"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % size)
upload.sendall(bytes(size))
upload.recv(1000)
PYTHON
    ip netns exec client "$program" troubleshoot --host 10.200.0.2:8080 --yes --limit $limit --out "$folder" --language "$language"
elif [ $case = apply-killed ]; then
    ip netns exec client "$program" troubleshoot --url "http://10.200.0.2:8080/$file" $apply --yes --limit $limit --out "$folder" --language en &
    killed=$!
    n=0
    until ip netns exec client sysctl -n net.ipv4.tcp_rmem | grep -q 6291456; do
        n=$((n + 1))
        [ $n -lt 600 ] || exit 94
        sleep 0.1
    done
    kill -9 $killed
    wait $killed
    apply=
    ip netns exec client sysctl net.ipv4.tcp_rmem
    # A recording whose answer does not depend on how busy this machine is.
    ip netns exec client "$program" troubleshoot --recorded "$(dirname "$0")/../../src/TcpDiag.Cli/Demo/demo.pcapng" --language en
    ip netns exec client sysctl net.ipv4.tcp_rmem
else
    ip netns exec client "$program" troubleshoot --url "http://10.200.0.2:8080/$file" $upload $apply --yes --limit $limit --out "$folder" --language "$language"
fi
code=$?
[ $case != apply-killed ] || code=0
if [ -n "$apply" ]; then
    ip netns exec client sysctl net.ipv4.tcp_rmem
    ip netns exec client "$program" troubleshoot --undo --language en
    ip netns exec client sysctl net.ipv4.tcp_rmem
fi
kill $server $shim
wait $shim
exit $code
