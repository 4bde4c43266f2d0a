using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Report.Json;

/// <summary>Writes connections of the analysis document.</summary>
static class ConnectionJson
{
    /// <summary>Writes a connection.</summary>
    /// <param name="json">Takes the connection.</param>
    /// <param name="connection">The connection.</param>
    /// <param name="start">The trace's first record.</param>
    /// <param name="findings">Ids of the findings about it.</param>
    public static void Write(JsonOutput json, Connection connection, TraceTime start, IReadOnlyList<string> findings)
    {
        json.WriteStartObject();
        json.WriteNumber("index"u8, connection.Index);
        WriteEndpoint(json, "client"u8, connection.Client);
        WriteEndpoint(json, "server"u8, connection.Server);
        WriteProcess(json, connection);
        json.WriteString("serverName"u8, connection.ServerName);
        json.WriteSeconds("startSeconds"u8, connection.Start - start);
        json.WriteSeconds("durationSeconds"u8, connection.Last - connection.Start);
        WriteHandshake(json, connection);
        WriteRoundTrip(json, RoundTrip.Of(connection));
        json.WriteString("end"u8, NameOf(connection.End));
        json.WriteString("vantage"u8, NameOf(connection.Vantage));
        json.WriteString("evidence"u8, connection.Evidence == Evidence.None ? "unknown"u8 : NameOf(connection.Evidence));
        json.WriteStartArray("directions"u8);
        DirectionJson.Write(json, "client"u8, connection, connection.FromClient);
        DirectionJson.Write(json, "server"u8, connection, connection.FromServer);
        json.WriteEndArray();
        json.WriteStrings("findings"u8, findings);
        json.WriteEndObject();
    }

    /// <summary>What evidence is called.</summary>
    public static ReadOnlySpan<byte> NameOf(Evidence evidence) => evidence switch
    {
        Evidence.Packets => "packets"u8,
        Evidence.Events => "events"u8,
        Evidence.Both => "both"u8,
        _ => default,
    };

    static void WriteEndpoint(JsonOutput json, ReadOnlySpan<byte> name, Endpoint endpoint)
    {
        json.WriteStartObject(name);
        Span<byte> address = stackalloc byte[IpAddress.MaxTextBytes];
        json.WriteString("address"u8, address[..endpoint.Address.Format(address)]);
        json.WriteNumber("port"u8, endpoint.Port);
        json.WriteEndObject();
    }

    static void WriteProcess(JsonOutput json, Connection connection)
    {
        if (connection.ProcessId is not { } id)
        {
            json.WriteNull("process"u8);
            return;
        }

        json.WriteStartObject("process"u8);
        json.WriteNumber("id"u8, id);
        json.WriteString("name"u8, connection.ProcessName);
        json.WriteEndObject();
    }

    static void WriteHandshake(JsonOutput json, Connection connection)
    {
        json.WriteStartObject("handshake"u8);
        json.WriteBoolean("complete"u8, connection.IsHandshakeComplete);
        json.WriteNumber("synRetransmissions"u8, connection.SynRetransmissions);
        json.WriteMicroseconds("rttMicroseconds"u8, connection.HandshakeRtt);
        json.WriteMicroseconds("synAckMicroseconds"u8, connection.SynAckDelay);
        json.WriteMicroseconds("nameLookupMicroseconds"u8, connection.Lookup?.Time);
        json.WriteEndObject();
    }

    static void WriteRoundTrip(JsonOutput json, in RttSummary rtt)
    {
        bool isKnown = rtt.Samples > 0;
        json.WriteStartObject("roundTrip"u8);
        json.WriteMicroseconds("minMicroseconds"u8, isKnown ? rtt.Min : null);
        json.WriteMicroseconds("medianMicroseconds"u8, isKnown ? rtt.Median : null);
        json.WriteMicroseconds("p95Microseconds"u8, isKnown ? rtt.P95 : null);
        json.WriteNumber("samples"u8, rtt.Samples);
        json.WriteEndObject();
    }

    static ReadOnlySpan<byte> NameOf(ConnectionEnd end) => end switch
    {
        ConnectionEnd.Fin => "fin"u8,
        ConnectionEnd.Rst => "rst"u8,
        ConnectionEnd.Timeout => "timeout"u8,
        _ => "open"u8,
    };

    static ReadOnlySpan<byte> NameOf(Vantage vantage) => vantage switch
    {
        Vantage.Client => "client"u8,
        Vantage.Server => "server"u8,
        Vantage.Middle => "middle"u8,
        _ => "unknown"u8,
    };
}

/// <summary>Short names of TCP options for JSON and text.</summary>
public static class TcpOptionNames
{
    static readonly (TcpOptionKinds Kind, string Name)[] Names =
    [
        (TcpOptionKinds.MaximumSegmentSize, "mss"),
        (TcpOptionKinds.WindowScale, "windowScale"),
        (TcpOptionKinds.SackPermitted, "sackPermitted"),
        (TcpOptionKinds.Timestamps, "timestamps"),
        (TcpOptionKinds.FastOpen, "fastOpen"),
        (TcpOptionKinds.Multipath, "multipath"),
        (TcpOptionKinds.AccurateEcn, "accurateEcn"),
        (TcpOptionKinds.UserTimeout, "userTimeout"),
        (TcpOptionKinds.Md5Signature, "md5Signature"),
        (TcpOptionKinds.Authentication, "authentication"),
        (TcpOptionKinds.Other, "other"),
        (TcpOptionKinds.Incomplete, "incomplete"),
    ];

    // A trace holds few sets of them, and a great many connections.
    static readonly ConcurrentDictionary<TcpOptionKinds, string[]> Known = new();

    /// <summary>The names of a set of options.</summary>
    /// <returns>One name for each, in a fixed order; <c>incomplete</c> where the list was malformed or cut off.</returns>
    public static IReadOnlyList<string> Of(TcpOptionKinds kinds) => Known.GetOrAdd(kinds, List);

    static string[] List(TcpOptionKinds kinds) => [.. Names.Where(entry => (kinds & entry.Kind) != 0).Select(entry => entry.Name)];
}
