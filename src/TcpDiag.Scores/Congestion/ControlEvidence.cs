using System;
using System.Collections.Generic;
using TcpDiag.Scores.Cards;

namespace TcpDiag.Scores.Congestion;

/// <summary>
/// What speaks against each congestion control: how much a loss left in flight, and how that grew; and less in flight than a round before though nothing was
/// lost and the path delivered as before, which neither CUBIC nor Reno does.
/// </summary>
sealed class ControlEvidence
{
    const int MinSegments = 10; // before a reduction: of fewer, one more or less is as much as what tells them apart
    const double RenoMax = 0.58; // of what was in flight before a loss: 0.5, a round's growth, and what limited transmit adds before
    const double CubicMin = 0.62; // 0.7 (RFC 9438 §4.6)
    const double CubicMax = 0.8;
    const double ModelMin = 0.88; // BBR goes on with what it had, but while it leaves its startup
    const double MaxFit = 0.12; // of the growth
    const double MinMisfit = 0.25;
    const double MinModelGrowth = 0.25; // from round to round BBR's flight keeps its level

    readonly ControlVotes _cubic = new();
    readonly ControlVotes _reno = new();
    readonly ControlVotes _bbr = new();
    int _told;
    int _kept;

    /// <summary>Judges.</summary>
    /// <param name="rounds">The rounds of the sender.</param>
    /// <param name="reductions">Its reductions, completed.</param>
    /// <param name="exit">The round in which slow start was left; null where a reduction ended it, or it goes on.</param>
    /// <param name="smss">SMSS, bytes.</param>
    public static ControlFingerprint Judge(IReadOnlyList<WindowRound> rounds, IReadOnlyList<Reduction> reductions, int? exit, int smss)
    {
        ControlEvidence evidence = new();
        if (exit is { } left && left + 1 < rounds.Count)
        {
            evidence.TakeGrowth(new(0, StageFrom(rounds, left + 1), smss), rounds[left].Packet);
        }

        evidence.TakeReductions(rounds, reductions, smss);
        int falls = evidence.TakeFalls(rounds, smss);
        FingerprintCandidate[] candidates = FingerprintCandidate.Weigh(
            [
                (ControlFingerprint.Cubic, evidence._cubic.Against, evidence._cubic.FirstPacket),
                (ControlFingerprint.Reno, evidence._reno.Against, evidence._reno.FirstPacket),
                (ControlFingerprint.Bbr, evidence._bbr.Against, evidence._bbr.FirstPacket),
            ],
            evidence._told);
        return ControlFingerprint.Of(candidates, evidence._told, evidence._kept >= 2 || falls >= 3 || MinRttProbes.Any(rounds, smss));
    }

    static List<WindowRound> StageFrom(IReadOnlyList<WindowRound> rounds, int first)
    {
        List<WindowRound> stage = [];
        for (int i = first; i < rounds.Count && rounds[i] is { IsHeld: true, IsClean: true } && rounds[i].Stage == rounds[first].Stage; i++)
        {
            stage.Add(rounds[i]);
        }

        return stage;
    }

    // Only where the window held the sender before: what a program leaves in flight is no cwnd, nor is what a recovery that ended at once before leaves.
    void TakeReductions(IReadOnlyList<WindowRound> rounds, IReadOnlyList<Reduction> reductions, int smss)
    {
        foreach (Reduction one in reductions)
        {
            if (one is { WasHeld: true, After: { } after, IsReal: true, Kind: RepairKind.Fast } && one.BeforeBytes >= (long)MinSegments * smss)
            {
                TakeLevel(one, (double)after.PeakBytes / one.BeforeBytes, after.IsHeld);
                TakeGrowth(new((double)one.BeforeBytes / smss, StageFrom(rounds, one.AfterIndex), smss), after.Packet);
            }
        }
    }

    // That more was in flight than a window would have allowed counts whether the program held the sender or not.
    void TakeLevel(Reduction reduction, double left, bool isHeld)
    {
        bool isKept = left >= ModelMin;
        if (!isKept && (!isHeld || left > CubicMax || left is > RenoMax and < CubicMin))
        {
            return;
        }

        _told++;
        _kept += isKept ? 1 : 0;
        _cubic.Add(left is < CubicMin or > CubicMax, reduction.Packet);
        _reno.Add(left > RenoMax, reduction.Packet);
        _bbr.Add(!isKept, reduction.Packet);
    }

    void TakeGrowth(ControlStage stage, long packet)
    {
        if (!stage.HasGrowth)
        {
            return;
        }

        (double cubic, double reno) = (stage.CubicError(), stage.RenoError());
        (bool isCubicOut, bool isRenoOut) = (cubic > MinMisfit, reno > MinMisfit);
        if (Math.Min(cubic, reno) > MaxFit || (!isCubicOut && !isRenoOut))
        {
            return;
        }

        _told++;
        _cubic.Add(isCubicOut, packet);
        _reno.Add(isRenoOut, packet);
        _bbr.Add(stage.GrowthShare >= MinModelGrowth, packet);
    }

    int TakeFalls(IReadOnlyList<WindowRound> rounds, int smss)
    {
        int count = 0;
        foreach (long packet in ModelledFalls.Of(rounds, smss))
        {
            count++;
            _told++;
            _cubic.Add(true, packet);
            _reno.Add(true, packet);
        }

        return count;
    }
}

/// <summary>How often something spoke against a candidate.</summary>
sealed class ControlVotes
{
    /// <summary>How often.</summary>
    public int Against { get; private set; }

    /// <summary>The first packet that did; 0 without one.</summary>
    public long FirstPacket { get; private set; }

    /// <summary>Takes a vote.</summary>
    public void Add(bool isAgainst, long packet)
    {
        if (isAgainst)
        {
            Against++;
            FirstPacket = FirstPacket == 0 || packet < FirstPacket ? packet : FirstPacket;
        }
    }
}
