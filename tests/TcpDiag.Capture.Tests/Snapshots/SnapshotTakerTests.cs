using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Capture.Tests.Snapshots;

public sealed class SnapshotTakerTests
{
    static readonly TimeSpan Long = TimeSpan.FromSeconds(30);

    [Fact]
    public void Take_Readers_KeepTheirOrder()
    {
        SystemSnapshot snapshot = Take(Reader("a", Long, () => [new("eth0", "mtu", "1500")]), Reader("b", Long, () => []));

        Assert.Equal(["a", "b"], snapshot.Sections.Select(section => section.Name));
        Assert.Equal([new SnapshotFact("eth0", "mtu", "1500")], snapshot.Sections[0].Facts);
        Assert.All(snapshot.Sections, section => Assert.Null(section.Problem));
        Assert.Equal(("tcpdiag/snapshot/1", "Test 1.0", DateTimeOffset.UnixEpoch), (snapshot.Schema, snapshot.OperatingSystem, snapshot.TakenUtc));
    }

    [Fact]
    public void Take_ReaderFails_KeepsItsFactsAndTheOthers()
    {
        SystemSnapshot snapshot = Take(Reader("a", Long, Failing), Reader("b", Long, () => [new("", "x", "1")]));

        Assert.Equal("no rights", snapshot.Sections[0].Problem);
        Assert.Equal("before", snapshot.Sections[0].Facts.Single().Name);
        Assert.Null(snapshot.Sections[1].Problem);
    }

    [Fact]
    public void Take_ReaderThatDoesNotEnd_CostsItsBudgetOnly()
    {
        using var release = new ManualResetEventSlim();
        SystemSnapshot snapshot = Take(Reader("a", TimeSpan.FromMilliseconds(50), () => Hanging(release)), Reader("b", Long, () => [new("", "x", "1")]));
        release.Set();

        Assert.Equal("no end within 0.05 s", snapshot.Sections[0].Problem);
        Assert.Single(snapshot.Sections[1].Facts);
    }

    // Two hang and take both places: the others wait the three seconds of a start for one, no longer, and have all of their own time.
    [Fact]
    [Trait("Needs", "time")]
    public void Take_ReadersThatHang_TakeNoTimeFromTheOthers()
    {
        using var release = new ManualResetEventSlim();
        SnapshotReader hangs = Reader("hangs", TimeSpan.FromSeconds(4), () => Hanging(release));
        SnapshotReader[] others = [.. Enumerable.Range(0, 5).Select(_ => Reader("works", TimeSpan.FromSeconds(2), () => [new("", "x", "1")]))];
        SystemSnapshot snapshot = SnapshotTaker.Take([hangs, hangs, .. others], "Test 1.0", new Epoch(), maxStarting: 2);
        release.Set();

        Assert.All(snapshot.Sections.Take(2), section => Assert.Equal("no end within 4 s", section.Problem));
        Assert.All(snapshot.Sections.Skip(2), section => Assert.Null(section.Problem));
    }

    // The reader that knows it has ended what it started, which takes it a while, when the caller goes on; the other one is left, its budget far from over.
    [Fact]
    [Trait("Needs", "time")]
    public void Take_Cancelled_EndsWithoutWaitingForTheBudget()
    {
        using var release = new ManualResetEventSlim();
        using var cancel = new CancellationTokenSource();
        bool hasEnded = false;
        IEnumerable<SnapshotFact> Obeying()
        {
            cancel.Cancel();
            release.Wait(TimeSpan.FromMilliseconds(100));
            hasEnded = true;
            yield break;
        }

        Assert.Throws<OperationCanceledException>(() => SnapshotTaker.Take(
            [Reader("hangs", Long, () => Hanging(release)), Reader("obeys", Long, Obeying)], "Test 1.0", new Epoch(),
                cancel: cancel.Token));
        release.Set();
        Assert.True(hasEnded);
    }

    [Fact]
    public void Take_MaxStarting_IsNotExceeded()
    {
        int now = 0;
        int most = 0;
        using var met = new Barrier(2);
        IEnumerable<SnapshotFact> Count()
        {
            int running = Interlocked.Increment(ref now);
            InterlockedMax(ref most, running);
            met.SignalAndWait(Long);
            Interlocked.Decrement(ref now);
            return [];
        }

        SnapshotTaker.Take(Enumerable.Repeat(Reader("a", Long, Count), 8), "Test 1.0", new Epoch(), maxStarting: 2);
        Assert.Equal(2, most);
    }

    static void InterlockedMax(ref int most, int value)
    {
        int seen;
        while (value > (seen = Volatile.Read(ref most)) && Interlocked.CompareExchange(ref most, value, seen) != seen)
        {
        }
    }

    [Fact]
    public void Take_EndlessFacts_AreBounded()
    {
        SystemSnapshot snapshot = Take(Reader("a", Long, () => Enumerable.Repeat(new SnapshotFact("", "x", "1"), int.MaxValue)));

        Assert.Equal(20_000, snapshot.Sections[0].Facts.Count);
        Assert.Equal("more than 20000 facts: the others were left out", snapshot.Sections[0].Problem);
    }

    static IEnumerable<SnapshotFact> Failing()
    {
        yield return new("", "before", "1");
        throw new UnauthorizedAccessException("no rights");
    }

    static IEnumerable<SnapshotFact> Hanging(ManualResetEventSlim release)
    {
        release.Wait();
        yield break;
    }

    static SnapshotReader Reader(string name, TimeSpan budget, Func<IEnumerable<SnapshotFact>> facts) => new(name, "test", budget, facts);

    static SystemSnapshot Take(params ISnapshotReader[] readers) => SnapshotTaker.Take(readers, "Test 1.0", new Epoch());

    sealed class Epoch : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch;
    }
}
