using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Peers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Analysis.Tests;

/// <summary>
/// tcpdiag beside tshark and tcptrace over the project's own captures: they differ in the packets that docs/peers.md lists, and in no others.
/// </summary>
public sealed class PeerTests
{
    [ToolFact("tshark", "tcptrace")]
    public void Differences_OfTheFixtures_AreThoseOfThePage()
    {
        string fixtures = ProjectFolder.PathOf("tests", "fixtures");
        var report = PeerReport.Of(Directory.GetFiles(fixtures, "*.pcapng", SearchOption.AllDirectories).Order(StringComparer.Ordinal));
        HashSet<string> page = [.. File.ReadAllLines(ProjectFolder.PathOf("docs", "peers.md"))];
        string[] told = [.. report.Counts().Concat(report.Reasons())];

        Assert.Empty(report.Unexplained);
        Assert.True(told.Length > 100, "the fixtures show differences"); // each of 23 captures beside two programs, and their reasons
        Assert.Equal([], told.Except(page));
    }
}
