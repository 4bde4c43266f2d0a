using System;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Locate.Results;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Locate.Tests;

/// <summary>
/// A client, two routers and a server of the kernel, each in a namespace; the first router translates addresses. Packets are dropped by the routers' filters,
/// which count them. Captures of 68 bytes at the client, behind the first router and at the server.
/// </summary>
public sealed class LocateKernelTests : IDisposable
{
    const int HeaderBytes = 52; // IP and TCP with timestamps, in the counters of iptables
    const int Smss = 1448;

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-locate").FullName;

    [Trait("Needs", "time")]
    [RootFact("unshare", "ip", "iptables", "tcpdump", "iperf3", "ethtool")]
    public void Losses_AreThoseTheRoutersCount()
    {
        AssertLosses("first", "off");
        AssertLosses("second", "off");
        AssertLosses("both", "off");
    }

    [Trait("Needs", "time")]
    [RootFact("unshare", "ip", "iptables", "tcpdump", "iperf3", "ethtool")]
    public void Losses_OfOffloadedSegments_AreThoseTheRoutersCount() => AssertLosses("both", "on");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    void AssertLosses(string where, string offloads)
    {
        string[] dropped = ExternalProgram.Run("unshare", "-m", "bash", "-c", Script, "bash", _folder, where, offloads).Lines[^1].Split(' ');
        var locator = new Locator();
        foreach (string name in (string[])["server", "client", "middle"])
        {
            using TraceReader reader = TraceFile.Open(Path.Combine(_folder, $"{name}.pcap"));
            locator.Add(name, reader);
        }

        Location location = locator.Locate();
        LocatedPath path = Assert.Single(location.Paths);
        Assert.Equal(["client", "middle", "server"], path.Points.Select(point => location.Points[point].Name));
        Assert.Contains(path.Changes, change => change.Kind == ChangeKind.Addresses && change.From == path.Points[0]);
        Assert.All(location.Points, point => Assert.Equal((0, 0), (point.RecorderLost, point.Missed)));
        Assert.Equal([Segments(dropped[0], dropped[1]), Segments(dropped[2], dropped[3])], path.FromClient.Steps.Select(step => step.Data.Lost));
        Assert.All(path.Clocks, clock => Assert.InRange(Math.Abs(clock.OffsetNanos), 0, 50_000 + clock.BoundNanos)); // they are one
    }

    // Packets before they are cut, and their bytes.
    static long Segments(string packets, string bytes)
    {
        (long count, long all) = (long.Parse(packets, CultureInfo.InvariantCulture), long.Parse(bytes, CultureInfo.InvariantCulture));
        return (all - (count * HeaderBytes) + Smss - 1) / Smss;
    }

    // Folder, where packets are dropped, whether offloads are on. Its last line: packets and bytes dropped by the first and by the second router.
    const string Script = """
        set -e
        mount -t tmpfs none /run && mkdir -p /run/netns
        for n in c r q s; do ip netns add $n; ip -n $n link set lo up; done
        ip link add c0 netns c type veth peer name r0 netns r
        ip link add r1 netns r type veth peer name q0 netns q
        ip link add q1 netns q type veth peer name s0 netns s
        ip -n c addr add 10.1.0.1/24 dev c0; ip -n r addr add 10.1.0.2/24 dev r0; ip -n r addr add 10.2.0.1/24 dev r1
        ip -n q addr add 10.2.0.2/24 dev q0; ip -n q addr add 10.3.0.2/24 dev q1; ip -n s addr add 10.3.0.1/24 dev s0
        for x in c:c0 r:r0 r:r1 q:q0 q:q1 s:s0; do
          ip -n ${x%:*} link set ${x#*:} up
          ip netns exec ${x%:*} ethtool -K ${x#*:} tso $3 gso $3 gro $3 > /dev/null
        done
        ip -n c route add default via 10.1.0.2; ip -n r route add default via 10.2.0.2; ip -n s route add default via 10.3.0.2
        for n in r q; do ip netns exec $n sysctl -qw net.ipv4.ip_forward=1; done
        ip netns exec r iptables -t nat -A POSTROUTING -o r1 -j MASQUERADE
        DROP="-p tcp --dport 5201 -m length --length 1000:65535 -m statistic --mode random --probability 0.01 -j DROP"
        case $2 in first|both) ip netns exec r iptables -A FORWARD $DROP;; esac
        case $2 in second|both) ip netns exec q iptables -A FORWARD $DROP;; esac
        ip netns exec c tcpdump -i c0 -s 68 -B 16384 -w $1/client.pcap tcp > /dev/null 2> $1/c.err & A=$!
        ip netns exec r tcpdump -i r1 -s 68 -B 16384 -w $1/middle.pcap tcp > /dev/null 2> $1/r.err & B=$!
        ip netns exec s tcpdump -i s0 -s 68 -B 16384 -w $1/server.pcap tcp > /dev/null 2> $1/s.err & C=$!
        ip netns exec s iperf3 -s -1 > /dev/null & D=$!
        for f in c r s; do for i in $(seq 100); do grep -q listening $1/$f.err && break; sleep 0.1; done; done
        sleep 1
        timeout 30 ip netns exec c iperf3 -c 10.3.0.1 -n 5M -b 40M > /dev/null || true
        sleep 1
        kill -INT $A $B $C; wait $A $B $C || true; kill $D 2> /dev/null || true
        count() { ip netns exec $1 iptables -nvxL FORWARD | awk '/DROP/ { print $1, $2; n = 1 } END { if (!n) print 0, 0 }'; }
        echo $(count r) $(count q)
        """;
}
