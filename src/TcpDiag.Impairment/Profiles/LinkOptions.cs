using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Impairment.Losses;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Reordering;
using TcpDiag.Impairment.Stages;

namespace TcpDiag.Impairment.Profiles;

/// <summary>Applies one option to one direction of one segment.</summary>
static class LinkOptions
{
    const long ShortestSlotNanos = 1_000;

    /// <summary>The options known, for messages and completion.</summary>
    public static readonly string[] Names =
    [
        "rate", "trace", "burst", "overhead", "buffer", "aqm", "ecn", "cross", "delay", "jitter", "slot", "aggregate", "loss", "reorder", "duplicate",
        "corrupt", "blackout",
    ];

    /// <summary>Whether an option given again is added to what was given before.</summary>
    public static bool IsList(string option) => option is "loss" or "reorder" or "blackout" or "cross";

    /// <summary>Whether an option's value may change during a run.</summary>
    public static bool MayChange(string option) => option is "rate" or "delay" or "jitter" or "loss" or "reorder" or "duplicate" or "corrupt";

    /// <summary>The settings with an option applied; for those that are lists <paramref name="append"/> keeps the earlier ones. All but a trace.</summary>
    public static LinkSettings Apply(LinkSettings link, string option, ValueReader value, bool append)
    {
        LinkSettings changed = option switch
        {
            "rate" => link with { RateBitsPerSecond = value.ReadRate() },
            "burst" => link with { BurstBytes = value.ReadBytes() },
            "overhead" => link with { Overhead = QueueOptions.ReadOverhead(value) },
            "buffer" => link with { Queue = value.ReadDepth() },
            "aqm" => link with { Discipline = QueueOptions.ReadDiscipline(value) },
            "ecn" => link with { EcnThreshold = value.ReadDepth() },
            "cross" => link with { Cross = Add(append ? link.Cross : [], QueueOptions.ReadCross(value)) },
            "slot" => link with { Slots = ReadSlots(value) },
            "aggregate" => link with { Aggregation = new AggregationSettings(value.ReadTime(), value.AtEnd ? 0 : value.ReadCount()) },
            "delay" => link with { DelayNanos = value.ReadTime() },
            "jitter" => link with { Jitter = ReadJitter(value) },
            "loss" => link with { Losses = Add(append ? link.Losses : [], ReadLoss(value)) },
            "reorder" => link with { Reorderings = Add(append ? link.Reorderings : [], ReadReordering(value, append ? link.Reorderings : [])) },
            "duplicate" => link with { Duplication = value.ReadCorrelation(value.ReadChance()) },
            "corrupt" => link with { Corruption = value.ReadCorrelation(value.ReadChance()) },
            _ => link with { Blackouts = Add(append ? link.Blackouts : [], ReadBlackout(value)) },
        };
        value.ReadEnd();
        return changed;
    }

    static T[] Add<T>(IReadOnlyList<T> list, T item) => [.. list, item];

    static JitterSettings ReadJitter(ValueReader value)
    {
        long amount = value.ReadTime();
        JitterShape shape = JitterShape.Uniform;
        if (value.Accept("normal"))
        {
            shape = JitterShape.Normal;
        }
        else if (value.Accept("pareto"))
        {
            shape = JitterShape.Pareto;
        }
        else
        {
            value.Accept("uniform");
        }

        if (value.Accept("reorder"))
        {
            return new JitterSettings(amount, shape, Reorders: true);
        }

        long over = value.Accept("over") ? value.ReadTime() : 0;
        return over == 0 || over >= 2 * amount
            ? new JitterSettings(amount, shape, OverNanos: over)
            : throw value.Error("at least twice the jitter after over, so that no packet overtakes another", "less");
    }

    static SlotSettings ReadSlots(ValueReader value)
    {
        (long min, long max) = ReadInterval(value, "a distance of slots such as 10ms or 5ms-15ms, at least 1us");
        return min >= ShortestSlotNanos
            ? new SlotSettings(min, max, value.AtEnd ? 0 : value.ReadCount())
            : throw value.Error("a distance of slots of at least 1us", "less");
    }

    static (long Min, long Max) ReadInterval(ValueReader value, string expected)
    {
        string interval = value.ReadWord(expected);
        string[] ends = interval.Split('-');
        long min = value.ParseTime(ends[0]);
        long max = value.ParseTime(ends[^1]);
        return ends.Length <= 2 && max >= min ? (min, max) : throw value.Error(expected, interval);
    }

    static LossSettings ReadLoss(ValueReader value)
    {
        if (value.Accept("ge"))
        {
            double toBad = value.ReadProbability();
            double toGood = value.ReadProbability();
            double inGood = value.AtEnd ? 0 : value.ReadProbability();
            double inBad = value.AtEnd ? 1 : value.ReadProbability();
            return new GilbertElliottLoss(toBad, toGood, inGood, inBad);
        }

        if (value.Accept("list"))
        {
            return ReadList(value);
        }

        if (value.Accept("burst"))
        {
            ChanceSettings begins = value.ReadChance();
            return new BurstLoss(begins, value.ReadCount());
        }

        return new RandomLoss(value.ReadCorrelation(value.ReadChance()));
    }

    static ListedLoss ReadList(ValueReader value)
    {
        const string Expected = "packet numbers in ascending order such as 5+17+90-95";
        string word = value.ReadWord(Expected);
        List<PacketRange> ranges = [];
        long last = 0;
        foreach (string item in word.Split('+'))
        {
            string[] ends = item.Split('-');
            if (ends.Length > 2 || !TryNumber(ends[0], out long first) || !TryNumber(ends[^1], out long end) || first <= last || end < first)
            {
                throw value.Error(Expected, item);
            }

            ranges.Add(new PacketRange(first, end));
            last = end;
        }

        return new ListedLoss(ranges);
    }

    static bool TryNumber(string text, out long number) => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);

    static ReorderSettings ReadReordering(ValueReader value, IReadOnlyList<ReorderSettings> others)
    {
        const string Expected = "replace, add, swap or ahead, as in 1pct:replace:5ms, or flush:1s-10s:20:5ms";
        if (value.Accept("flush"))
        {
            return ReadFlush(value);
        }

        ChanceSettings chance = value.ReadChance();
        string kind = value.ReadWord(Expected);
        return kind switch
        {
            "replace" when value.ReadTime() is var delay => new ReplaceReordering(value.ReadCorrelation(chance), delay),
            "add" when value.ReadTime() is var delay => new AddReordering(value.ReadCorrelation(chance), delay),
            "swap" when !HasSwap(others) => new SwapReordering(chance, value.AtEnd ? 1 : value.ReadCount()),
            "swap" => throw value.Error("one swap per direction", kind),
            "ahead" => new AheadReordering(chance, value.ReadCount()),
            _ => throw value.Error(Expected, kind),
        };
    }

    static bool HasSwap(IReadOnlyList<ReorderSettings> reorderings)
    {
        foreach (ReorderSettings reordering in reorderings)
        {
            if (reordering is SwapReordering)
            {
                return true;
            }
        }

        return false;
    }

    static FlushReordering ReadFlush(ValueReader value)
    {
        (long min, long max) = ReadInterval(value, "an interval such as 1s-10s");
        int packets = value.ReadCount();
        return new FlushReordering(min, max, packets, value.ReadTime());
    }

    // 10s+500ms is one window; 10s+500ms/30s repeats every 30 s.
    static BlackoutWindow ReadBlackout(ValueReader value)
    {
        const string Expected = "a start and a length such as 10s+500ms, or 10s+500ms/30s to repeat it";
        string word = value.ReadWord(Expected);
        string[] parts = word.Split('+', '/');
        bool periodic = parts.Length == 3;
        if (parts.Length is < 2 or > 3 || word.Contains('/', System.StringComparison.Ordinal) != periodic)
        {
            throw value.Error(Expected, word);
        }

        long period = periodic ? value.ParseTime(parts[2]) : 0;
        BlackoutWindow window = new(value.ParseTime(parts[0]), value.ParseTime(parts[1]), period);
        return !periodic || period > window.LengthNanos ? window : throw value.Error("a period longer than the window", parts[2]);
    }
}
