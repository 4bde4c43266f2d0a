using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Flows;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Patterns;
using TcpDiag.Analysis.Scoreboards;
using TcpDiag.Wire;

namespace TcpDiag.Analysis;

/// <summary>All that follow the connections of a trace, as one. The two that always do are called by their own types: a call through the interface costs more than what most segments tell them.</summary>
/// <param name="limits">Limits.</param>
/// <param name="patterns">Patterns.</param>
/// <param name="others">Who else was asked for.</param>
sealed class AnalysisFollowers(LimitTracker limits, PatternTracker patterns, ILedgerFollower[] others) : ILedgerFollower
{
    /// <inheritdoc/>
    public void OnStep(ref ConnectionState connection, int from, in LedgerStep step)
    {
        limits.OnStep(ref connection, from, step);
        patterns.OnStep(ref connection, from, step);
        foreach (ILedgerFollower other in others)
        {
            other.OnStep(ref connection, from, step);
        }
    }

    /// <inheritdoc/>
    public void Prefetch(in ConnectionState connection)
    {
        LimitTracker.Prefetch(connection);
        PatternTracker.Prefetch(connection);
    }

    /// <inheritdoc/>
    public void OnContinued(ref ConnectionState connection, int from, in LedgerStep step)
    {
        if (IsTold(connection, from))
        {
            OnStep(ref connection, from, step);
        }
        else
        {
            LimitTracker.OnContinued(connection.Direction[from], connection.Direction[from ^ 1], step);
        }
    }

    /// <inheritdoc/>
    public long MostGapInBurst(in ConnectionState connection, int from) =>
        IsTold(connection, from) ? -1 : LimitTracker.MostGapInBurst(connection.Direction[from]);

    /// <inheritdoc/>
    public void OnBurst(ref ConnectionState connection, int from, in LedgerStep step) =>
        LimitTracker.OnBurst(connection.Direction[from], connection.Direction[from ^ 1], step);

    // Whether a segment that only went on where the one before ended tells more than that to anybody.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    bool IsTold(in ConnectionState connection, int from)
    {
        ref readonly DirectionState sent = ref connection.Direction[from];
        ref readonly DirectionState acked = ref connection.Direction[from ^ 1];
        return others.Length > 0 || LimitTracker.Hears(acked) || PatternTracker.Watches(sent, acked);
    }

    /// <inheritdoc/>
    public void OnVerdict(in Resend resend, RetransmissionNeed need)
    {
        foreach (ILedgerFollower other in others)
        {
            other.OnVerdict(resend, need);
        }
    }

    /// <inheritdoc/>
    public void OnClockStep(ref ConnectionState connection, TraceTime time) => LimitTracker.OnClockStep(ref connection, time);

    /// <inheritdoc/>
    public void OnLook(ref readonly ConnectionState connection, Connection result, TraceTime now)
    {
        LimitTracker.OnLook(in connection, result, now);
        PatternTracker.OnLook(in connection, result, now);
        foreach (ILedgerFollower other in others)
        {
            other.OnLook(in connection, result, now);
        }
    }

    /// <inheritdoc/>
    public void OnFold(ref ConnectionState connection, Connection result, TraceTime end)
    {
        limits.OnFold(ref connection, result, end);
        patterns.OnFold(ref connection, result, end);
        foreach (ILedgerFollower other in others)
        {
            other.OnFold(ref connection, result, end);
        }
    }
}
