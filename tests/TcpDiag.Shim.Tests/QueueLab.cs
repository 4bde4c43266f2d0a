using System;
using System.Diagnostics;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Shim.Linux;
using TcpDiag.Shim.Queue;
using TcpDiag.Testing;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Tests;

/// <summary>A network namespace of this test's own whose traffic goes through a packet queue: that of its loopback device, and that with a peer on a veth cable.</summary>
[SupportedOSPlatform("linux")]
sealed class QueueLab : IDisposable
{
    public const string Address = "10.76.0.1";
    public const string PeerAddress = "10.76.0.2";

    const ushort Queue = 77;

    static int _count;

    readonly string _place = FormattableString.Invariant($"tdq{Environment.ProcessId % 100_000}x{Interlocked.Increment(ref _count)}");

    public QueueLab() => NetworkNamespace.Create(_place);

    string Peer => _place + "p";

    public Socket NewSocket(AddressFamily family = AddressFamily.InterNetwork) => NewSocket(_place, family, SocketType.Dgram);

    public Socket NewStream() => NewSocket(_place, AddressFamily.InterNetwork, SocketType.Stream);

    public Socket NewPeerStream() => NewSocket(Peer, AddressFamily.InterNetwork, SocketType.Stream);

    /// <summary>Makes the peer, in a namespace of its own.</summary>
    public void AddPeer()
    {
        NetworkNamespace.Create(Peer);
        ExternalProgram.Run("ip", "link", "add", "q0", "netns", _place, "type", "veth", "peer", "name", "q0", "netns", Peer);
        foreach ((string place, string address) in new[] { (_place, Address), (Peer, PeerAddress) })
        {
            ExternalProgram.Run("ip", "-n", place, "addr", "add", address + "/24", "dev", "q0");
            ExternalProgram.Run("ip", "-n", place, "link", "set", "q0", "up");
        }
    }

    /// <summary>Starts a Python program in the namespace; it ends when its standard input does.</summary>
    public Process StartPython(string script) => Process.Start(new ProcessStartInfo("ip", ["netns", "exec", _place, "python3", "-c", script])
    {
        UseShellExecute = false,
        RedirectStandardInput = true,
        RedirectStandardOutput = true,
    })!;

    /// <summary>Runs something while packets are impaired.</summary>
    public ShimReport While(string match, string[] options, Action action) => Run(match, options, action, isOpen: true);

    /// <summary>Runs something while packets are diverted but not taken; then takes what is there.</summary>
    public ShimReport WhileClosed(string match, string[] options, Action action) => Run(match, options, action, isOpen: false);

    public void Dispose()
    {
        NetworkNamespace.Delete(_place);
        NetworkNamespace.Delete(Peer);
    }

    ShimReport Run(string match, string[] options, Action action, bool isOpen)
    {
        MatchRule rule = MatchParser.Parse(match);
        QueuePort? opened = null;
        NetworkNamespace.Run(_place, () => opened = new QueuePort(Queue, rule));
        using QueuePort port = opened!;
        using GatedPort gate = new(port);
        if (isOpen)
        {
            gate.Open();
        }

        using CancellationTokenSource stop = new();
        ShimOptions run = new() { TimeLimit = TimeSpan.FromSeconds(60), MaxPacketBytes = ushort.MaxValue };
        Task<ShimReport> report = Task.Factory.StartNew(
            () => ShimRun.Run(gate, rule, Profile(options), run, stop.Token), default, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        action();
        gate.Open();
        stop.Cancel();
        return report.GetAwaiter().GetResult();
    }

    static ImpairmentProfile Profile(string[] options)
    {
        ImpairmentOptionsParser parser = new();
        foreach (string option in options)
        {
            string[] parts = option.Split(' ', 2);
            parser.Set(option, parts[0], parts[1]);
        }

        return parser.Build();
    }

    static Socket NewSocket(string place, AddressFamily family, SocketType type)
    {
        Socket? socket = null;
        NetworkNamespace.Run(place, () => socket = new Socket(family, type, type == SocketType.Dgram ? ProtocolType.Udp : ProtocolType.Tcp));
        return socket!;
    }
}
