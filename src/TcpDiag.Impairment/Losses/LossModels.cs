using System;
using System.Collections.Generic;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Losses;

/// <summary>Which packets are lost.</summary>
public abstract record LossSettings
{
    private protected LossSettings()
    {
    }

    internal abstract ILossModel CreateModel(Xoshiro256 random);
}

/// <summary>Decides packet by packet which ones are lost.</summary>
interface ILossModel
{
    bool Loses(in LinkPacket packet);
}

sealed class LossStage(ILossModel model) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet) =>
        model.Loses(in packet) ? ImpairmentAction.DropLoss : ImpairmentAction.None;
}

/// <summary>Packets are lost at random (Bernoulli, or correlated), or one in every n.</summary>
/// <param name="Chance">Which packets.</param>
public sealed record RandomLoss(ChanceSettings Chance) : LossSettings
{
    internal override ILossModel CreateModel(Xoshiro256 random) => new RandomLossModel(new Chance(Chance, random));
}

sealed class RandomLossModel(Chance chance) : ILossModel
{
    public bool Loses(in LinkPacket packet) => chance.Next();
}

/// <summary>Bursts of consecutive packets are lost; no burst begins within another.</summary>
/// <param name="Chance">Which packets start a burst.</param>
/// <param name="Packets">Packets of a burst, at least 1.</param>
public sealed record BurstLoss(ChanceSettings Chance, int Packets) : LossSettings
{
    internal override ILossModel CreateModel(Xoshiro256 random) => new BurstLossModel(new Chance(Chance, random), Packets);
}

sealed class BurstLossModel(Chance chance, int packets) : ILossModel
{
    int _left;

    public bool Loses(in LinkPacket packet)
    {
        if (_left == 0 && chance.Next())
        {
            _left = packets;
        }

        if (_left == 0)
        {
            return false;
        }

        _left--;
        return true;
    }
}

/// <summary>
/// The two-state Markov model of Gilbert (1960) and Elliott (1963): a good and a bad state, each with a loss probability of its own.
/// The stationary share of the bad state is p/(p+r), and a stay in it lasts 1/r packets on average.
/// </summary>
/// <param name="GoodToBad">p: probability per packet of going from good to bad, 0 … 1.</param>
/// <param name="BadToGood">r: probability per packet of going from bad to good, 0 … 1.</param>
/// <param name="LossInGood">Loss probability in the good state, 0 … 1.</param>
/// <param name="LossInBad">Loss probability in the bad state, 0 … 1.</param>
public sealed record GilbertElliottLoss(double GoodToBad, double BadToGood, double LossInGood, double LossInBad) : LossSettings
{
    internal override ILossModel CreateModel(Xoshiro256 random) => new GilbertElliottLossModel(this, random);
}

/// <summary>Starts in the good state; the state moves before each packet, then the state's loss probability decides.</summary>
sealed class GilbertElliottLossModel(GilbertElliottLoss settings, Xoshiro256 random) : ILossModel
{
    Xoshiro256 _random = random;
    bool _bad;

    public bool Loses(in LinkPacket packet)
    {
        double leaves = _bad ? settings.BadToGood : settings.GoodToBad;
        if (_random.NextUnit() < leaves)
        {
            _bad = !_bad;
        }

        double loss = _bad ? settings.LossInBad : settings.LossInGood;
        return _random.NextUnit() < loss;
    }
}

/// <summary>Exactly the listed packets are lost.</summary>
/// <param name="Ranges">Packet numbers of the direction (<see cref="LinkPacket.Id"/>), ascending, not overlapping.</param>
public sealed record ListedLoss(IReadOnlyList<PacketRange> Ranges) : LossSettings
{
    internal override ILossModel CreateModel(Xoshiro256 random) => new ListedLossModel(Ranges);
}

/// <summary>Packets <paramref name="First"/> to <paramref name="Last"/> of a direction, both included, counted from 1.</summary>
/// <param name="First">The first packet.</param>
/// <param name="Last">The last packet, not before the first.</param>
public readonly record struct PacketRange(long First, long Last);

/// <summary>Finds a packet's number by binary search: behind a segment that reorders, numbers arrive out of order.</summary>
sealed class ListedLossModel : ILossModel
{
    readonly long[] _first;
    readonly long[] _last;

    public ListedLossModel(IReadOnlyList<PacketRange> ranges)
    {
        _first = new long[ranges.Count];
        _last = new long[ranges.Count];
        for (int i = 0; i < ranges.Count; i++)
        {
            _first[i] = ranges[i].First;
            _last[i] = ranges[i].Last;
        }
    }

    public bool Loses(in LinkPacket packet)
    {
        int found = Array.BinarySearch(_first, packet.Id);
        int range = found >= 0 ? found : ~found - 1;
        return range >= 0 && packet.Id <= _last[range];
    }
}
