using System;
using System.Collections.Generic;
using TcpDiag.Analysis;
using TcpDiag.Wire;

namespace TcpDiag.Report.Json;

/// <summary>Writes a connection of the analysis document.</summary>
static class ConnectionJson
{
    /// <summary>Writes a connection.</summary>
    /// <param name="json">Where to.</param>
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
        json.WriteString("end"u8, NameOf(connection.End));
        json.WriteString("vantage"u8, NameOf(connection.Vantage));
        json.WriteString("evidence"u8, NameOf(connection.Evidence) ?? "unknown");
        json.WriteStartArray("directions"u8);
        DirectionJson.Write(json, "client", connection, connection.FromClient);
        DirectionJson.Write(json, "server", connection, connection.FromServer);
        json.WriteEndArray();
        json.WriteStrings("findings"u8, findings);
        json.WriteEndObject();
    }

    /// <summary>What evidence is called.</summary>
    /// <param name="evidence">The evidence.</param>
    /// <returns>Null for none.</returns>
    public static string? NameOf(Evidence evidence) => evidence switch
    {
        Evidence.Packets => "packets",
        Evidence.Events => "events",
        Evidence.Both => "both",
        _ => null,
    };

    static void WriteEndpoint(JsonOutput json, ReadOnlySpan<byte> name, Endpoint endpoint)
    {
        json.WriteStartObject(name);
        Span<byte> address = stackalloc byte[IpAddress.MostTextBytes];
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
        json.WriteMicroseconds("nameLookupMicroseconds"u8, connection.Lookup?.Time);
        json.WriteEndObject();
    }

    static string NameOf(ConnectionEnd end) => end switch
    {
        ConnectionEnd.Fin => "fin",
        ConnectionEnd.Rst => "rst",
        ConnectionEnd.Timeout => "timeout",
        _ => "open",
    };

    static string NameOf(Vantage vantage) => vantage switch
    {
        Vantage.Client => "client",
        Vantage.Server => "server",
        Vantage.Middle => "middle",
        _ => "unknown",
    };
}
