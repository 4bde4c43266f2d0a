using System;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Testing;
using Xunit;
using Xunit.Abstractions;

namespace TcpDiag.Shim.Tests;

/// <summary>A link at the highest rate this machine reaches, for ten minutes, from both ends and with every decision logged.</summary>
[SupportedOSPlatform("linux")]
public class SoakTests(ITestOutputHelper output)
{
    static readonly TimeSpan Duration = TimeSpan.FromMinutes(10);

    // Until then the working set is still being reached: memory touched for the first time, code compiled anew.
    static readonly TimeSpan WarmUp = TimeSpan.FromMinutes(1);

    // What the runtime and the test host take and give back by themselves.
    const long ToleratedBytes = 16 << 20;

    [LongRootFact]
    public void Link_TenMinutesAtFullRate_TakesNoMoreMemory()
    {
        using LinkLab lab = LinkLab.Unlogged("udp", "rate 10gbit", "delay 1ms", "loss 1pct", "reorder 1pct:add:1ms", "duplicate 1pct", "buffer 1000pkt");
        using CancellationTokenSource stop = new();
        Thread[] senders = [Flood(lab.NearSocket, lab.FarAddress, stop.Token), Flood(lab.FarSocket, lab.NearAddress, stop.Token)];
        stop.Token.WaitHandle.WaitOne(WarmUp);
        (long workingSet, long allocated) = (WorkingSet(), GC.GetTotalAllocatedBytes());
        stop.Token.WaitHandle.WaitOne(Duration - WarmUp);
        long grown = WorkingSet() - workingSet;
        long newlyAllocated = GC.GetTotalAllocatedBytes() - allocated;
        stop.Cancel();
        Array.ForEach(senders, sender => sender.Join());
        ShimFigures figures = lab.Stop().Figures;

        output.WriteLine(FormattableString.Invariant(
            $"{figures.Offered:N0} packets in {figures.ElapsedNs / 1e9:F0} s; working set {workingSet:N0} bytes, grown by {grown:N0}"));
        output.WriteLine(FormattableString.Invariant(
            $"{newlyAllocated:N0} bytes allocated; {figures.Lost:N0} packets found the device's queue full"));
        Assert.InRange(grown, long.MinValue, ToleratedBytes);
        Assert.Equal(0, newlyAllocated / figures.Offered);
        Assert.Equal(0, figures.RecordsLost);
        Assert.True(figures.Offered > 10_000_000, "this is not the full rate of any machine");
    }

    // Sends until it is stopped; nobody listens at the other end, and what does not fit anywhere is dropped there.
    static Thread Flood(Func<SocketType, ProtocolType, Socket> open, IPAddress to, CancellationToken stop)
    {
        Socket socket = open(SocketType.Dgram, ProtocolType.Udp);
        socket.Connect(to, 9);
        byte[] datagram = new byte[1400];
        Thread thread = new(() =>
        {
            using (socket)
            {
                while (!stop.IsCancellationRequested)
                {
                    socket.Send(datagram, SocketFlags.None, out _);
                }
            }
        });
        thread.Start();
        return thread;
    }

    static long WorkingSet()
    {
        GC.Collect();
        using Process self = Process.GetCurrentProcess();
        return self.WorkingSet64;
    }
}
