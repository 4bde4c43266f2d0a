using System;
using System.Collections.Generic;
using TcpDiag.Analysis;
using TcpDiag.Wire;

namespace TcpDiag.Report.Json;

/// <summary>Writes connections of the analysis document.</summary>
/// <param name="json">Where to.</param>
/// <param name="start">The trace's first record.</param>
sealed class ConnectionJson(JsonOutput json, TraceTime start)
{
    readonly DirectionJson _directions = new(json);

    /// <summary>Writes a connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="findings">Ids of the findings about it.</param>
    public void Write(Connection connection, IReadOnlyList<string> findings)
    {
        json.WriteStartObject();
        json.WriteNumber("index"u8, connection.Index);
        WriteEndpoint("client"u8, connection.Client);
        WriteEndpoint("server"u8, connection.Server);
        WriteProcess(connection);
        json.WriteString("serverName"u8, connection.ServerName);
        json.WriteSeconds("startSeconds"u8, connection.Start - start);
        json.WriteSeconds("durationSeconds"u8, connection.Last - connection.Start);
        WriteHandshake(connection);
        json.WriteString("end"u8, NameOf(connection.End));
        json.WriteString("vantage"u8, NameOf(connection.Vantage));
        json.WriteString("evidence"u8, connection.Evidence == Evidence.None ? "unknown"u8 : NameOf(connection.Evidence));
        json.WriteStartArray("directions"u8);
        _directions.Write("client"u8, connection, connection.FromClient);
        _directions.Write("server"u8, connection, connection.FromServer);
        json.WriteEndArray();
        json.WriteStrings("findings"u8, findings);
        json.WriteEndObject();
    }

    /// <summary>What evidence is called.</summary>
    /// <param name="evidence">The evidence.</param>
    /// <returns>Empty for none.</returns>
    public static ReadOnlySpan<byte> NameOf(Evidence evidence) => evidence switch
    {
        Evidence.Packets => "packets"u8,
        Evidence.Events => "events"u8,
        Evidence.Both => "both"u8,
        _ => default,
    };

    void WriteEndpoint(ReadOnlySpan<byte> name, Endpoint endpoint)
    {
        json.WriteStartObject(name);
        Span<byte> address = stackalloc byte[IpAddress.MostTextBytes];
        json.WriteString("address"u8, address[..endpoint.Address.Format(address)]);
        json.WriteNumber("port"u8, endpoint.Port);
        json.WriteEndObject();
    }

    void WriteProcess(Connection connection)
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

    void WriteHandshake(Connection connection)
    {
        json.WriteStartObject("handshake"u8);
        json.WriteBoolean("complete"u8, connection.IsHandshakeComplete);
        json.WriteNumber("synRetransmissions"u8, connection.SynRetransmissions);
        json.WriteMicroseconds("rttMicroseconds"u8, connection.HandshakeRtt);
        json.WriteMicroseconds("nameLookupMicroseconds"u8, connection.Lookup?.Time);
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
