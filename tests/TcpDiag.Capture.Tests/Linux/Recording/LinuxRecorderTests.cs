using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using System.Threading;
using TcpDiag.Capture.Linux;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Testing;
using TcpDiag.Traces.StackEvents;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Recording;

[SupportedOSPlatform("linux")]
public sealed class LinuxRecorderTests
{
    const int Megabyte = 1 << 20;

    [RootFact("ip", "tcpdump")]
    public void Run_Traffic_HasThePacketsThatTcpdumpHas()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using var tcpdump = new Tcpdump(network.Client, network.ClientInterface, port);
        using var recording = new BackgroundRecording(BackgroundRecording.At($"tcp port {port}", $"{network.Client}/{network.ClientInterface}"));

        TestNetwork.Transfer(listener, () => network.Connect(port), connections: 5, Megabyte);
        CaptureSummary summary = recording.Stop();
        List<(int, string, int)> packets = recording.Packets();
        tcpdump.Stop(packets.Count);

        // Two sockets may see packets of two processors in different order.
        Assert.Equal(recording.Packets(tcpdump.File).Order(), packets.Order());
        InterfaceSummary place = Assert.Single(summary.Interfaces);
        Assert.Equal(($"{network.Client}/{network.ClientInterface}", packets.Count, 0), (place.Name, place.Packets, place.Dropped));
        Assert.True(packets.Count > 50, $"5 MB make more than {packets.Count} packets");
        Assert.Equal(StopReason.Stopped, summary.StopReason);
    }

    [RootFact("ip")]
    public void Run_Traffic_HasTheEventsOfASecondInstance()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using var second = new TextInstance("tcp/tcp_probe", port);
        using var recording = new BackgroundRecording(BackgroundRecording.At($"tcp port {port}", $"{network.Client}/{network.ClientInterface}"));

        TestNetwork.Transfer(listener, () => network.Connect(port), connections: 5, Megabyte);
        CaptureSummary summary = recording.Stop();

        List<(long, long, long)> probes = [.. recording.Events(ToProbe).OfType<(long, long, long)>()];
        Assert.Equal(second.ReadProbes().Order(), probes.Order());
        Assert.True(probes.Count > 50, $"5 MB make more than {probes.Count} probes");
        Assert.Equal((0, 0), (summary.LostEvents, summary.OutOfOrder));
    }

    // Nothing is read before the end: what the kernel has kept by then has its time all the same.
    [RootFact("ip")]
    public void Run_StoppedBeforeItBegan_EventsHaveTheirTime()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        DateTimeOffset begin = TimeProvider.System.GetUtcNow();
        using var recording = new BackgroundRecording(
            BackgroundRecording.At($"tcp port {port}", $"{network.Client}/{network.ClientInterface}"),
            meanwhile: () => TestNetwork.Transfer(listener, () => network.Connect(port), connections: 1, bytes: 100),
            isStopped: true);
        recording.Wait();
        DateTimeOffset end = TimeProvider.System.GetUtcNow();

        List<long> times = recording.Events(stackEvent => stackEvent.Time.Nanoseconds);
        Assert.True(times.Count > 1);
        Assert.InRange(times.Min(), Nanoseconds(begin), Nanoseconds(end));
        Assert.InRange(times.Max(), Nanoseconds(begin), Nanoseconds(end));
    }

    static long Nanoseconds(DateTimeOffset time) => (time - DateTimeOffset.UnixEpoch).Ticks * 100;

    [RootFact("ip")]
    public void Run_ConnectionIsClosed_NothingIsSampledThatListens()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using var recording = new BackgroundRecording(BackgroundRecording.At($"tcp port {port}",
            $"{network.Server}/{network.ServerInterface}") with
        { Duration = TimeSpan.FromMilliseconds(700) });

        TestNetwork.Transfer(listener, () => network.Connect(port), connections: 3, bytes: 100);
        recording.Wait();

        const int listen = 1;
        Assert.DoesNotContain(listen, recording.Events(e => e.Source is SocketSampler.Source && e.TryGet(StackField.State, out long state) ? (int)state : -1));
    }

    [RootFact("ip")]
    public void Run_Connection_IsRecordedFromItsOpeningToItsEnd()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using var recording = new BackgroundRecording(BackgroundRecording.At($"host {network.ClientAddress}", $"{network.Client}/{network.ClientInterface}",
            $"{network.Server}/any"));

        using Socket client = network.Connect(port);
        using Socket server = listener.Accept();
        client.Send(new byte[1000]);
        Assert.Equal(1000, server.Receive(new byte[1000]));
        CaptureSummary summary = recording.Stop();

        // Closed 0, SynSent 2, Established 4, seen at the client
        Assert.Equal([(0, 2), (2, 4)], recording.Events(ToStates).OfType<(int, int)>().Take(2));
        Assert.Contains(StackEventKind.ConnectionRundown, recording.Events(e => e.Kind));
        Assert.Contains(recording.Events(e => e.Kind == StackEventKind.CwndSample && e.Source is "sock_diag:tcp_info" && e.Has(StackField.Cwnd)),
            isSample => isSample);
        Assert.Equal(2, summary.Interfaces.Count);
        Assert.Equal(summary.Interfaces[0].Packets, summary.Interfaces[1].Packets);
        Assert.True(summary.Samples > 0);
    }

    [RootFact("ip", "python3")]
    public void Run_VlanTag_StandsWhereItWas()
    {
        using var network = new TestNetwork();
        byte[] frame = new FrameBuilder().Vlan(0x2037).Ip("10.0.0.1", "10.0.0.2").Tcp(5347, 80).Payload(1, 2, 3).Build();
        string send = $"import socket; s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); s.bind(('{network.ClientInterface}', 0)); "
            + $"s.send(bytes.fromhex('{Convert.ToHexString(frame)}'))";
        using var recording = new BackgroundRecording(
            BackgroundRecording.At("tcp port 5347", $"{network.Client}/{network.ClientInterface}", $"{network.Server}/{network.ServerInterface}"));

        ExternalProgram.Run("ip", "netns", "exec", network.Client, "python3", "-c", send);
        recording.Stop();

        // Sent with the tag in the frame; received with the tag taken out by the kernel.
        Assert.Equal([Convert.ToHexString(frame), Convert.ToHexString(frame)], recording.Packets().Select(packet => packet.Data));
    }

    [RootFact]
    public void Open_OwnConnection_IsNotRecorded()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        int port = ((IPEndPoint)listener.LocalEndpoint).Port;
        using var own = new TcpClient();
        own.Connect(IPAddress.Loopback, port);
        using TcpClient ownServer = listener.AcceptTcpClient();
        using var recording = new BackgroundRecording(BackgroundRecording.At($"tcp port {port}", "lo"));

        own.GetStream().Write(new byte[1000]);
        ownServer.GetStream().ReadExactly(new byte[1000]);
        using var other = new TcpClient();
        other.Connect(IPAddress.Loopback, port);
        recording.Stop();

        // Only the handshake of the connection that was opened later, each packet once: SYN, SYN and ACK, ACK.
        Assert.Equal(3, recording.Packets().Count);
        var ownPort = (ushort)((IPEndPoint)own.Client.LocalEndPoint!).Port;
        Assert.DoesNotContain(recording.Events(e => e.Local?.Port == ownPort || e.Remote?.Port == ownPort), isOwn => isOwn);
    }

    [RootFact]
    public void RemoveAbandoned_DeadRecorder_LeavesNothingButTheLiving()
    {
        using TracefsMount mount = TracefsMount.Open();
        string instances = Path.Join(mount.Root, "instances");
        string dead = Path.Join(instances, FormattableString.Invariant($"tcpdiag-{Environment.ProcessId}-1-1"));
        Directory.CreateDirectory(dead);
        File.WriteAllText(Path.Join(dead, "events/tcp/tcp_probe/enable"), "1");
        using TracefsInstance living = TracefsInstance.Create(TracefsMount.Open(), 77);

        TracefsInstance.RemoveAbandoned(mount);

        Assert.False(Directory.Exists(dead));
        Assert.Contains(Directory.EnumerateDirectories(instances), folder => folder.EndsWith("-77", StringComparison.Ordinal));
    }

    [RootFact]
    public void Dispose_AfterRecording_LeavesNoInstance()
    {
        using TracefsMount mount = TracefsMount.Open();
        string instances = Path.Join(mount.Root, "instances");
        string mine = FormattableString.Invariant($"tcpdiag-{Environment.ProcessId}-*");
        string[] during;
        using (var recording = new BackgroundRecording(BackgroundRecording.At("tcp port 9", "lo")))
        {
            during = Directory.GetDirectories(instances, mine);
            recording.Stop();
        }

        // Those of tests that run beside this one go with them; one that was left would stay.
        Assert.NotEmpty(during);
        Assert.True(SpinWait.SpinUntil(() => !during.Any(Directory.Exists), Patience.Limit), string.Join(' ', during.Where(Directory.Exists)));
    }

    [RootFact]
    public void Run_SizeReached_Stops()
    {
        CaptureSettings settings = BackgroundRecording.At("tcp port 9", "lo") with { MaxBytes = 1 };
        using LinuxRecorder recorder = LinuxRecorder.Open(settings, new MemoryStream());

        Assert.Equal(StopReason.Size, recorder.Run(default).StopReason);
    }

    [RootFact]
    public void Run_TimeIsUp_Stops()
    {
        CaptureSettings settings = BackgroundRecording.At("tcp port 9", "lo") with { Duration = TimeSpan.FromMilliseconds(20) };
        using LinuxRecorder recorder = LinuxRecorder.Open(settings, new MemoryStream());

        Assert.Equal(StopReason.Duration, recorder.Run(default).StopReason);
    }

    [RootFact]
    public void Open_NoSuchInterface_SaysHowToFindOne()
    {
        var exception = Assert.Throws<CaptureException>(() => LinuxRecorder.Open(BackgroundRecording.At("tcp", "nosuch0"), new MemoryStream()));
        Assert.Equal("no interface 'nosuch0'. `ip link` lists the interfaces; 'any' stands for all of them.", exception.Message);
    }

    [RootFact]
    public void Open_NoSuchNamespace_SaysHowToFindOne()
    {
        var exception = Assert.Throws<CaptureException>(() => LinuxRecorder.Open(BackgroundRecording.At("tcp", "nosuch/eth0"), new MemoryStream()));
        Assert.Equal("cannot enter network namespace 'nosuch': No such file or directory (2). `ip netns list` lists them; "
            + "entering needs root.", exception.Message);
    }

    [Theory]
    [InlineData("10.0.0.9 51000 10.0.0.1 22", true)]
    [InlineData("2001:db8::9 51000 2001:db8::1 22", true)]
    [InlineData("10.0.0.9 51000 10.0.0.1", false)]
    [InlineData("UNKNOWN 65535 UNKNOWN 65535", false)]
    [InlineData(null, false)]
    public void TryParseSsh_Variable_NamesTheConnection(string? text, bool expected)
    {
        Assert.Equal(expected, OwnConnections.TryParseSsh(text, out (Wire.Endpoint Local, Wire.Endpoint Remote) ends));
        Assert.Equal(expected ? 22 : 0, ends.Local.Port);
    }

    static (int Old, int New)? ToStates(StackEvent stackEvent) =>
        stackEvent.Kind == StackEventKind.StateChanged && stackEvent.TryGet(StackField.OldState, out long old)
            && stackEvent.TryGet(StackField.State, out long state)
            ? ((int)old, (int)state)
            : null;

    static (long SndNxt, long SndUna, long Cwnd)? ToProbe(StackEvent stackEvent) =>
        stackEvent.Source is "tcp:tcp_probe" && stackEvent.TryGet(StackField.SndNxt, out long next) && stackEvent.TryGet(StackField.SndUna, out long una)
        && stackEvent.TryGet(StackField.CwndSegments, out long cwnd)
            ? (next, una, cwnd)
            : null;
}

/// <summary>A trace instance read as the text the kernel makes of it: an independent view of the same events.</summary>
sealed partial class TextInstance : IDisposable
{
    readonly TracefsMount _mount = TracefsMount.Open();
    readonly string _folder;

    public TextInstance(string tracepoint, int port)
    {
        _folder = Path.Join(_mount.Root, "instances", FormattableString.Invariant($"tdtext-{Environment.ProcessId}-{port}"));
        Directory.CreateDirectory(_folder);
        File.WriteAllText(Path.Join(_folder, "buffer_size_kb"), "4096");
        File.WriteAllText(Path.Join(_folder, "events", tracepoint, "filter"), FormattableString.Invariant($"sport == {port} || dport == {port}"));
        File.WriteAllText(Path.Join(_folder, "events", tracepoint, "enable"), "1");
    }

    public IEnumerable<(long SndNxt, long SndUna, long Cwnd)> ReadProbes()
    {
        foreach (Match match in Probe().Matches(File.ReadAllText(Path.Join(_folder, "trace"))))
        {
            yield return (Hex(match.Groups["next"]), Hex(match.Groups["una"]), long.Parse(match.Groups["cwnd"].ValueSpan, CultureInfo.InvariantCulture));
        }
    }

    public void Dispose()
    {
        Directory.Delete(_folder);
        _mount.Dispose();
    }

    static long Hex(Group group) => long.Parse(group.ValueSpan, NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    [GeneratedRegex("snd_nxt=0x(?<next>[0-9a-f]+) snd_una=0x(?<una>[0-9a-f]+) snd_cwnd=(?<cwnd>[0-9]+)", RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 10_000)]
    private static partial Regex Probe();
}
