using System.Collections.Generic;

namespace TcpDiag.Analysis.Results;

/// <summary>Why a direction that carried data lacks measures: none is guessed.</summary>
public static class MissingMeasures
{
    const string OneWay = "only one direction was captured";
    const string NotOfEvents = "the events do not say";
    const string NoVantage = "at which end the capture was taken is not known";

    /// <summary>The missing measures by their names in the JSON document, each with the reason.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="direction">One of its directions.</param>
    /// <returns>Nothing where no data was sent.</returns>
    public static IEnumerable<(string Measure, string Reason)> Of(Connection connection, ConnectionDirection direction) =>
        direction is { PayloadBytes: 0 } or { Rtt.Samples: > 0, Loss: not null, Reordering: not null, MaxReceiveWindowBytes: not null, Limits: not null }
            ? []
            : Absent(connection, direction);

    static IEnumerable<(string Measure, string Reason)> Absent(Connection connection, ConnectionDirection direction)
    {
        if (direction.Rtt.Samples == 0)
        {
            yield return ("rtt", WhyNoRtt(connection, direction));
        }

        if (direction.Loss is null)
        {
            yield return ("loss", WhyNoLoss(connection, direction));
        }

        if (direction.Reordering is null)
        {
            yield return ("reordering", WhyNoReordering(connection, direction));
        }

        if (direction.MaxReceiveWindowBytes is null)
        {
            yield return ("receiveWindow", WhyNoWindow(connection, direction));
        }

        if (WhyNoLimits(connection, direction) is { } reason)
        {
            yield return ("limits", reason);
        }
    }

    /// <summary>Why the limits of the sender are missing in a direction that carried data.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="direction">One of its directions.</param>
    /// <returns>Null when they are not missing, or no data was sent.</returns>
    public static string? WhyNoLimits(Connection connection, ConnectionDirection direction) => direction switch
    {
        { Limits: not null } or { PayloadBytes: 0 } => null,
        _ when !HasPackets(direction) => NotOfEvents,
        _ when !CameBack(connection, direction) => OneWay,
        { ActiveTime: null } => "no data was seen on its way",
        { UnseenBytes: > 0 } => "packets are missing in the capture",
        { Reordering.Packets: > 0 } when connection.HandshakeRtt is not null => "way to the sender unknown (its SYN may be reordered)",
        _ => "way to the sender unknown (SYN not seen, or resent)",
    };

    static string WhyNoRtt(Connection connection, ConnectionDirection direction) =>
        !HasPackets(direction) ? NotOfEvents
        : !CameBack(connection, direction) ? OneWay
        : "no acknowledgment belongs to one sending alone (Karn)";

    static string WhyNoLoss(Connection connection, ConnectionDirection direction) =>
        !HasPackets(direction) ? NotOfEvents
        : connection.IsOneSided ? OneWay
        : NoVantage;

    static string WhyNoReordering(Connection connection, ConnectionDirection direction) => direction switch
    {
        _ when !HasPackets(direction) => NotOfEvents,
        _ when connection.IsOneSided => OneWay,
        { Loss: null } => NoVantage,
        _ => "more came late than was captured",
    };

    static string WhyNoWindow(Connection connection, ConnectionDirection direction) =>
        !HasPackets(direction) ? NotOfEvents
        : !CameBack(connection, direction) ? OneWay
        : connection.Other(direction).HasSyn ? "its scale is in the SYNs, whose options the capture cut off"
        : "its scale is in the SYNs, which were not captured";

    static bool HasPackets(ConnectionDirection direction) => (direction.Evidence & Evidence.Packets) != 0;

    static bool CameBack(Connection connection, ConnectionDirection direction) => connection.Other(direction).Packets > 0;
}
