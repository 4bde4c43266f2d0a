using System;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Shim.Linux;
using TcpDiag.Shim.Queue;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Tests;

/// <summary>A network namespace of this test's own whose loopback traffic goes through a packet queue.</summary>
[SupportedOSPlatform("linux")]
sealed class QueueLab : IDisposable
{
    const ushort Queue = 77;

    static int _count;

    readonly string _place = FormattableString.Invariant($"tdq{Environment.ProcessId % 100_000}x{Interlocked.Increment(ref _count)}");

    public QueueLab() => NetworkNamespace.Create(_place);

    public Socket NewSocket()
    {
        Socket? socket = null;
        NetworkNamespace.Run(_place, () => socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp));
        return socket!;
    }

    /// <summary>Runs something while packets are impaired.</summary>
    public ShimReport While(string match, string[] options, Action action)
    {
        ImpairmentOptionsParser parser = new();
        foreach (string option in options)
        {
            string[] parts = option.Split(' ', 2);
            parser.Set(option, parts[0], parts[1]);
        }

        MatchRule rule = MatchParser.Parse(match);
        QueuePort? opened = null;
        NetworkNamespace.Run(_place, () => opened = new QueuePort(Queue, rule));
        using QueuePort port = opened!;
        using CancellationTokenSource stop = new();
        Task<ShimReport> run = Task.Factory.StartNew(
            () => ShimRun.Run(port, rule, parser.Build(), new ShimOptions { TimeLimit = TimeSpan.FromSeconds(60) }, stop.Token),
            default,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        action();
        stop.Cancel();
        return run.GetAwaiter().GetResult();
    }

    public void Dispose() => NetworkNamespace.Delete(_place);
}
