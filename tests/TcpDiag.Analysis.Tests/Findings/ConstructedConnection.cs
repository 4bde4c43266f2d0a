using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>The account of a connection for tests of rules: a 10 s upload of 10 MB with an RTT of 40 ms, unless changed.</summary>
static class ConstructedConnection
{
    public const long Millisecond = 1_000_000;
    public const long Second = 1_000_000_000;
    public const TcpOptionKinds AllOptions = TcpOptionKinds.WindowScale | TcpOptionKinds.SackPermitted | TcpOptionKinds.Timestamps;

    public static LimitSummary Spent(params (LimitState State, long Time)[] spent)
    {
        var times = default(LimitTimes);
        foreach ((LimitState state, long time) in spent)
        {
            times[(int)state] = time;
        }

        return new LimitSummary(times, Evidence.Packets, 100);
    }

    public static IReadOnlyList<Finding> Judge(Connection connection) => FindingRules.Judge([connection], default);

    public static Finding Single(Connection connection) => Judge(connection).Single();

    public static Finding Single(Connection connection, string id) =>
        Judge(connection).Single(finding => string.Equals(finding.Id, id, StringComparison.Ordinal));

    public static Connection Upload(Func<ConnectionDirection, ConnectionDirection> change) => Of(change, down => down);

    public static Connection Of(Func<ConnectionDirection, ConnectionDirection> up, Func<ConnectionDirection, ConnectionDirection> down)
    {
        var client = new ConnectionDirection
        {
            Evidence = Evidence.Packets,
            ActiveTime = 10 * Second,
            UniqueBytes = 10_000_000,
            PayloadBytes = 10_000_000,
            WireSegments = 7000,
            SynOptions = AllOptions,
            HasWindowScale = true,
            Mss = 1448,
            MaxInFlightBytes = 50_000,
            MaxReceiveWindowBytes = 1_000_000,
            Rtt = new RttSummary(40 * Millisecond, 40 * Millisecond, 41 * Millisecond, 1000),
        };
        var server = new ConnectionDirection { Evidence = Evidence.Packets, SynOptions = AllOptions, HasWindowScale = true, Mss = 1448 };
        return new Connection
        {
            Client = new Endpoint(IpAddress.FromIpv4(0x0A00_0001), 50000),
            Server = new Endpoint(IpAddress.FromIpv4(0x0A00_0002), 443),
            Start = new TraceTime(0),
            Last = new TraceTime(10 * Second),
            IsHandshakeComplete = true,
            ConnectTime = 40 * Millisecond,
            HandshakeRtt = 40 * Millisecond,
            SynRetransmissions = 0,
            FromClient = up(client),
            FromServer = down(server),
        };
    }
}
