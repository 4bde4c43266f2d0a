using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Snapshots;
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
