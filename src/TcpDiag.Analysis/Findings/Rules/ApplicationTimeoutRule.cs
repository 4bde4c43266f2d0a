using System;
using TcpDiag.Analysis.Patterns;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>One end closed after a round number of seconds while the other still sent: an application's time limit, not the network (story S4).</summary>
static class ApplicationTimeoutRule
{
    const double NanosecondsPerSecond = 1e9;
    const double Tolerance = 0.25; // s: a timer is late by scheduling and the way to the capture point, and never early
    const double Earliness = 0.005; // s: the clock may start a little after the first packet
    const int LeastSeconds = 2;
    const long MostRefusal = 1_000_000_000; // ns, beside a round trip, from the FIN to the first reset: what is under way then, or a resending of it

    // Limits that people type; any whole second in between is chance.
    static readonly int[] UsualLimits = [2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 50, 60, 75, 90, 100, 120, 150, 180, 240, 300, 600, 900, 1800, 3600];

    public static Finding? Judge(Connection connection)
    {
        for (int side = 0; side < 2; side++)
        {
            var closer = new DirectionSubject(connection, side == 0);
            if (Close(closer) is { } close && Limit(connection, close.Time) is { } seconds)
            {
                return Word(closer, close, seconds);
            }
        }

        return null;
    }

    // The close, when what was still under way is refused at once. An end that only has nothing more to send (RFC 9293 §3.6) takes what comes, however long.
    static Mark? Close(in DirectionSubject closer)
    {
        DirectionPatterns own = closer.Patterns;
        if (own.Reset is not { } reset)
        {
            return null;
        }

        return own.Fin is { } fin
            ? (reset.Time - fin.Time <= closer.Rtt.P95 + MostRefusal ? fin : null)
            : IsBusy(closer) ? reset : null;
    }

    // A reset instead of a FIN counts when the other end had more in flight than could have been acknowledged.
    static bool IsBusy(in DirectionSubject closer)
    {
        Connection connection = closer.Connection;
        ConnectionDirection incoming = closer.IsFromClient ? connection.FromServer : connection.FromClient;
        return incoming.PayloadBytes > 0 && incoming.ActiveTime is { } active && active > (connection.Last - connection.Start) / 2;
    }

    static int? Limit(Connection connection, TraceTime close)
    {
        if (!connection.IsHandshakeComplete)
        {
            return null;
        }

        double seconds = (close - connection.Start - (connection.ConnectTime ?? 0)) / NanosecondsPerSecond;
        double fromSyn = (close - connection.Start) / NanosecondsPerSecond;
        return Array.Find(UsualLimits, limit => limit >= LeastSeconds && (IsAt(seconds, limit) || IsAt(fromSyn, limit))) is > 0 and { } found ? found : null;
    }

    static bool IsAt(double seconds, int limit) => seconds >= limit - Earliness && seconds <= limit + Tolerance;

    static Finding Word(DirectionSubject closer, Mark close, int seconds)
    {
        long after = closer.PeerPatterns.BytesAfterPeerFin;
        return new FindingDraft(FindingIds.ApplicationTimeout)
            .AtLeast(FindingSeverity.Critical)
            .Sure(after > 0 ? 0.9 : 0.75)
            .Worded(() => Text(closer, close, seconds))
            .On(closer.Connection);
    }

    static FindingText Text(in DirectionSubject closer, Mark close, int seconds)
    {
        long after = closer.PeerPatterns.BytesAfterPeerFin;
        FindingText text = new FindingText($"The {closer.Sender} gave up after {seconds} s while the {closer.Receiver} was still sending: a time limit of the application.")
            .Because($"The {closer.Sender} closed a round number of seconds after the connection began, and what still came was refused. The network did not end this connection; what made the transfer too slow for the limit is told by the other findings.")
            .Shown("time from the connection's begin to the close", $"{Quantity.Duration(close.Time - closer.Connection.Start)}", null, Place.Between(close, null, closer.Connection))
            .Shown($"resets of the {closer.Sender} in reply to what still came", $"{closer.Patterns.Resets}");
        return (after > 0 ? text.Shown($"bytes the {closer.Receiver} sent after that", $"{after}") : text)
            .Advise(
                $"Application on the {closer.Sender}: find the limit of {seconds} s in its settings (client library, proxy, load balancer); raise it, or make it count from the last byte received.",
                "Then mend what makes the transfer slow: the first finding of this connection.");
    }
}
