using System;

namespace TcpDiag.Doctor.Answers;

/// <summary>
/// Whether a recording that goes on would change nothing: at looks over some seconds the same cause led, at the same side, sure, and worth mending by what it
/// had cost by then. That nothing is wrong is never enough: it may come yet.
/// </summary>
public sealed class EnoughSeen
{
    // A cause that one burst brings is gone at the next look, or another leads.
    static readonly TimeSpan Held = TimeSpan.FromSeconds(3);

    const double MinConfidence = 0.8;
    const double MinSecondsLost = 1; // what people notice
    const double MinShareLost = 0.1; // of the connections that have it: below it nobody notices
    const int MinBytes = 100_000; // some seventy segments

    (string Id, Side Side, TimeSpan Since)? _leading;

    /// <summary>Looks at what has been recorded so far.</summary>
    /// <param name="diagnosis">What it shows.</param>
    /// <param name="time">Since the recording began.</param>
    /// <returns>Whether that is enough.</returns>
    public bool Look(Diagnosis diagnosis, TimeSpan time)
    {
        ArgumentNullException.ThrowIfNull(diagnosis);
        if (!IsClear(diagnosis))
        {
            _leading = null;
            return false;
        }

        (string id, Side side) = (diagnosis.Cause!.Id, diagnosis.Side);
        bool isSame = _leading is { } leading && string.Equals(leading.Id, id, StringComparison.Ordinal) && leading.Side == side;
        _leading = (id, side, isSame ? _leading!.Value.Since : time);
        return time - _leading.Value.Since >= Held;
    }

    static bool IsClear(Diagnosis diagnosis) =>
        diagnosis is
        {
            Cause: { IsSure: true, Confidence: >= MinConfidence }, Side: not (Side.Unclear or Side.Nothing), Bytes: >= MinBytes,
            SecondsLost: >= MinSecondsLost
        }
        && diagnosis.SecondsLost >= MinShareLost * diagnosis.SecondsOf;
}
