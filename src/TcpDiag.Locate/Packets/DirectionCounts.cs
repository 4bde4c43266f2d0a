using System.Collections.Generic;
using System.Runtime.InteropServices;
using TcpDiag.Locate.Intake;

namespace TcpDiag.Locate.Packets;

/// <summary>What became of the packets of one direction of one path. What some points missed is judged at the end, when it is known which of them miss
/// packets.</summary>
/// <param name="points">The points in the order of travel.</param>
sealed class DirectionCounts(IReadOnlyList<VantagePoint> points)
{
    readonly List<Missing> _missing = [];
    readonly Dictionary<(int From, int To), long> _between = [];
    readonly Dictionary<(int From, Doubt Why), long> _untold = [];

    /// <summary>The points in the order of travel.</summary>
    public IReadOnlyList<VantagePoint> Points { get; } = points;

    /// <summary>Data, SYN and FIN, by step.</summary>
    public StepCounts[] Data { get; } = NewCounts(points.Count - 1);

    /// <summary>Packets that carry nothing, by step.</summary>
    public StepCounts[] Acks { get; } = NewCounts(points.Count - 1);

    /// <summary>Data packets lost between two points that are not neighbours, where those between cannot say on which side of them.</summary>
    public IReadOnlyDictionary<(int From, int To), long> Between => _between;

    /// <summary>Data packets of which cannot be told what became of them behind a point.</summary>
    public IReadOnlyDictionary<(int From, Doubt Why), long> Untold => _untold;

    /// <summary>Time during which data was under way, ns, summed over connections.</summary>
    public long ActiveNanos { get; set; }

    /// <summary>Notes a packet that no point behind one saw.</summary>
    public void AddMissing(in Missing missing) => _missing.Add(missing);

    /// <summary>Judges what is missing, now that it is known whose recorders lost packets.</summary>
    public void Judge()
    {
        foreach (Missing missing in _missing)
        {
            JudgeOne(missing);
        }

        _missing.Clear();
    }

    void JudgeOne(in Missing missing)
    {
        Doubt doubt = Doubt.None;
        for (int place = missing.Last + 1; place < Points.Count; place++)
        {
            bool isCovered = (missing.Covered & (1u << place)) != 0;
            if (isCovered && !Points[place].IsLossy && !missing.IsAmbiguous)
            {
                Locate(missing, place);
                return;
            }

            doubt = !isCovered && doubt == Doubt.None ? Doubt.NotRecording : isCovered ? Doubt.RecorderLoss : doubt;
        }

        if (missing.IsData)
        {
            CollectionsMarshal.GetValueRefOrAddDefault(_untold, (missing.Last, missing.IsAmbiguous ? Doubt.Delivered : doubt), out _)++;
        }
    }

    void Locate(in Missing missing, int place)
    {
        if (place == missing.Last + 1)
        {
            (missing.IsData ? Data : Acks)[missing.Last].AddLost(missing.Packet);
        }
        else if (missing.IsData)
        {
            CollectionsMarshal.GetValueRefOrAddDefault(_between, (missing.Last, place), out _)++;
        }
    }

    static StepCounts[] NewCounts(int count)
    {
        var counts = new StepCounts[count];
        for (int i = 0; i < count; i++)
        {
            counts[i] = new StepCounts();
        }

        return counts;
    }
}

/// <summary>A packet that no point behind one saw.</summary>
/// <param name="Last">The last point that saw it, in the order of travel.</param>
/// <param name="Covered">A bit for each point that was recording when it should have come by.</param>
/// <param name="IsData">Whether it carries data, SYN or FIN.</param>
/// <param name="IsAmbiguous">Whether the receiver acknowledged it, and it or another transmission of it came through unseen.</param>
/// <param name="Packet">The packet.</param>
readonly record struct Missing(int Last, uint Covered, bool IsData, bool IsAmbiguous, LostPacket Packet);

/// <summary>Why it cannot be told what became of a packet.</summary>
public enum Doubt
{
    /// <summary>It can.</summary>
    None,

    /// <summary>The next points were not recording then: they began later or ended earlier.</summary>
    NotRecording,

    /// <summary>The recorders of the next points lost packets.</summary>
    RecorderLoss,

    /// <summary>The receiver acknowledged it, and of several transmissions one came through unseen.</summary>
    Delivered,
}
