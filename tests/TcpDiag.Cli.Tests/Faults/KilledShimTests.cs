using System;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Platform.Linux;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests.Faults;

/// <summary>kill -9 of the process that diverts packets: at once nothing is left and nothing diverted.</summary>
[SupportedOSPlatform("linux")]
public sealed class KilledShimTests : IDisposable
{
    static readonly string Near = FormattableString.Invariant($"tdkn{Environment.ProcessId % 100_000}");
    static readonly string Far = FormattableString.Invariant($"tdkf{Environment.ProcessId % 100_000}");

    // From before the first line of our code to well behind the last call of the start.
    static readonly int[] MomentsMs = [0, 40, 80, 120, 160, 200, 300, 500, 1000];

    public KilledShimTests()
    {
        if (OperatingSystem.IsLinux() && SkipReason.Root() is null)
        {
            NetworkNamespace.Create(Near);
            NetworkNamespace.Create(Far);
        }
    }

    [RootFact("ip", "nft")]
    public void Queue_KilledWhileItStarts_LeavesNothing()
    {
        string before = Inventory.Of(Near);
        foreach (int moment in MomentsMs)
        {
            using KilledProcess shim = StartQueue();
            shim.KillAfter(moment);
            AssertClean(before, moment);
        }
    }

    [RootFact("ip", "nft")]
    public void Queue_KilledWithPacketsUnderWay_LeavesNothing()
    {
        string before = Inventory.Of(Near);
        foreach (int moment in MomentsMs[..5])
        {
            using KilledProcess shim = StartQueue();
            shim.WaitForOutput();
            Assert.False(CanSend());
            Assert.NotEqual(before, Inventory.Of(Near));
            shim.KillAfter(moment);
            AssertClean(before, moment);
        }
    }

    [RootFact("ip", "nft")]
    public void Queue_KilledWhileItEnds_LeavesNothing()
    {
        string before = Inventory.Of(Near);
        foreach (int moment in MomentsMs[..4])
        {
            using KilledProcess shim = StartQueue();
            shim.WaitForOutput();
            shim.EndInput();
            shim.KillAfter(moment);
            AssertClean(before, moment);
        }
    }

    [RootFact("ip", "nft")]
    public void Cable_KilledAtAnyMoment_LeavesNothing()
    {
        string before = Inventory.Of(Near) + Inventory.Of(Far);
        foreach (int moment in MomentsMs)
        {
            using KilledProcess shim = new(null, "shim", "serve", "--near", Near, "--far", Far, "--delay", "500ms", "--for", "50s");
            shim.KillAfter(moment);
            Assert.Equal(before, Inventory.Of(Near) + Inventory.Of(Far));
        }
    }

    public void Dispose()
    {
        if (SkipReason.Root() is null)
        {
            NetworkNamespace.Delete(Near);
            NetworkNamespace.Delete(Far);
        }
    }

    static KilledProcess StartQueue() => new(Near, "shim", "serve", "--match", "udp port 5001", "--delay", "30s", "--for", "50s");

    static void AssertClean(string before, int moment)
    {
        // The kernel lets go of a dead process's sockets in its own time, long before a part that was left would end by itself.
        Assert.True(SpinWait.SpinUntil(() => string.Equals(before, Inventory.Of(Near), StringComparison.Ordinal), TimeSpan.FromSeconds(5)),
            FormattableString.Invariant($"killed after {moment} ms: {Inventory.Of(Near)}"));
        Assert.True(CanSend(), FormattableString.Invariant($"killed after {moment} ms: packets are still diverted"));
    }

    // Whether a datagram crosses the namespace's loopback device within a quarter of a second.
    static bool CanSend()
    {
        bool arrived = false;
        NetworkNamespace.Run(Near, () =>
        {
            using Socket to = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            to.Bind(new IPEndPoint(IPAddress.Loopback, 5001));
            using Socket from = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            from.SendTo([1], new IPEndPoint(IPAddress.Loopback, 5001));
            arrived = to.Poll(TimeSpan.FromMilliseconds(250), SelectMode.SelectRead);
        });
        return arrived;
    }
}
