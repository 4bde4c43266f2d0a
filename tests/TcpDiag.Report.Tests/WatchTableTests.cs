using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Report.Json;
using Xunit;

namespace TcpDiag.Report.Tests;

public sealed class WatchTableTests
{
    static readonly WatchedConnectionEntry Upload = new(
        new("192.0.2.1", 50_000), new("198.51.100.7", 443), 7, "curl\u001b[2J",
        94.1e6, 1000, 12_300, 144_800, 130_000, 65_535, 12, 3, "congestionWindow", 1_230_000, 2_000_000);

    static readonly WatchedConnectionEntry Unknown = new(
        new("2001:db8::1", 50_001), new("2001:db8:1234:5678:9abc:def0:1357:2468", 8080),
        null, null, null, null, null, null, null, null, null, null, null, 0, 0);

    [Fact]
    public void Lines_EightyColumns_HoldEverything() => Assert.Equal(
        [
            "12:34:56 UTC, 2 connections; the most time lost first",
            "peer             process   rate   srtt  cwnd flight   wnd  rtx reo  limit   lost",
            "198.51.100.7:443 curl?[… 94.1M↑ 12.3ms  145k   130k 65.5k   12   3   cwnd  1.23s",
            "[2001:db8:1234:… -            -      -     -      -     -    -   -      -     0s",
        ],
        WatchTable.Lines(Document(Upload, Unknown), 80, 24));

    [Fact]
    public void Lines_WideTerminal_ShowsWholeNamesAndThePort()
    {
        IReadOnlyList<string> lines = WatchTable.Lines(Document(Unknown), 160, 24);
        Assert.StartsWith("[2001:db8:1234:5678:9abc:def0:1357:2468]:8080 ", lines[2], StringComparison.Ordinal);
        Assert.Contains(" 50001 ", lines[2], StringComparison.Ordinal);
    }

    [Fact]
    public void Lines_AnySize_Fit()
    {
        WatchDocument watch = Document([.. Enumerable.Repeat(Upload, 100)]);
        for (int width = 1; width < 200; width += 7)
        {
            for (int height = 1; height < 120; height += 17)
            {
                IReadOnlyList<string> lines = WatchTable.Lines(watch, width, height);
                Assert.InRange(lines.Count, 1, height);
                Assert.All(lines, line => Assert.InRange(line.Length, 0, width));
            }
        }
    }

    [Fact]
    public void Lines_LowTerminal_CountsWhatIsNotShown() =>
        Assert.Contains("2 connections, 1 not shown", WatchTable.Lines(Document(Upload, Unknown), 80, 3)[0], StringComparison.Ordinal);

    static WatchDocument Document(params WatchedConnectionEntry[] connections) =>
        new(WatchDocument.SchemaName, new DateTimeOffset(2026, 1, 2, 12, 34, 56, TimeSpan.Zero), 1, false, 0, connections);
}
