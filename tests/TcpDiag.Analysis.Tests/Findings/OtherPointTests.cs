using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>What is found about a direction comes from the capture nearer to its sender.</summary>
public sealed class OtherPointTests
{
    static readonly Endpoint Client = At(0x0A00_0001, 40000);
    static readonly Endpoint Server = At(0x0A00_0002, 443);
    static readonly Endpoint Nat = At(0xC000_0201, 1024);

    [Fact]
    public void Judge_TakesTheDirectionFromTheOtherAndKeepsTheRest()
    {
        Connection own = Connection(7, 21, Client, Server);
        Connection there = Connection(0, 3, Nat, Server);
        TraceAnalysis analysis = Of([own], Found("cwnd-limited", own, true), Found("path-loss", own, false), Found("late-syn-ack", own, null));
        TraceAnalysis other = Of([there], Found("timeouts", there, false), Found("receive-window-limited", there, true), Found("reset", there, null));

        TraceAnalysis judged = OtherPoint.Judge(analysis, other, "server.pcapng", [new(21, Client, 3, Nat, IsFromClient: false)]);

        Assert.Equal(["cwnd-limited", "late-syn-ack", "timeouts"], judged.Findings.Select(finding => finding.Id).Order());
        Finding moved = Assert.Single(judged.Findings, finding => finding.SeenIn is not null);
        Assert.Equal(("timeouts", own, false, "server.pcapng"), (moved.Id, moved.Connection, moved.IsFromClient, moved.SeenIn));
    }

    // Without a SYN the end with the higher port is taken for the client, and behind a NAT that may be the other one.
    [Fact]
    public void Judge_WhereTheOtherTakesTheServerForTheClient_TurnsTheDirection()
    {
        Connection own = Connection(0, 1, Client, Server);
        Connection there = Connection(0, 1, Server, Nat);
        TraceAnalysis analysis = Of([own], Found("path-loss", own, false));
        TraceAnalysis other = Of([there], Found("timeouts", there, true));

        TraceAnalysis judged = OtherPoint.Judge(analysis, other, "server.pcapng", [new(1, Client, 1, Nat, IsFromClient: false)]);

        Finding finding = Assert.Single(judged.Findings);
        Assert.Equal(("timeouts", false), (finding.Id, finding.IsFromClient));
    }

    [Fact]
    public void Judge_AConnectionThatTheOtherLacks_StaysAsItWas()
    {
        Connection own = Connection(0, 1, Client, Server);
        TraceAnalysis analysis = Of([own], Found("path-loss", own, false));

        TraceAnalysis judged = OtherPoint.Judge(analysis, Of([]), "server.pcapng", [new(1, Client, 9, Nat, IsFromClient: false)]);

        Assert.Equal(analysis.Findings, judged.Findings);
    }

    static Endpoint At(uint address, ushort port) => new(IpAddress.FromIpv4(address), port);

    static TraceAnalysis Of(IReadOnlyList<Connection> connections, params Finding[] findings) => new() { Connections = connections, Findings = findings };

    static Connection Connection(int index, long firstPacket, Endpoint client, Endpoint server) => new()
    {
        Index = index,
        FirstPacket = firstPacket,
        Client = client,
        Server = server,
        Start = default,
        FromClient = new(),
        FromServer = new(),
    };

    static Finding Found(string id, Connection connection, bool? isFromClient) =>
        new(id, connection, isFromClient, FindingSeverity.Warning, 1, 0.9, () => new FindingText(id, id, [], []));
}
