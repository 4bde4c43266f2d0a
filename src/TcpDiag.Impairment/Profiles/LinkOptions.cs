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
    /// <summary>The options known, for messages and completion.</summary>
    public static readonly string[] Names =
        ["rate", "burst", "buffer", "ecn", "delay", "jitter", "loss", "reorder", "duplicate", "corrupt", "blackout"];

    /// <summary>Whether an option given again is added to what was given before.</summary>
    public static bool IsList(string option) => option is "loss" or "reorder" or "blackout";

    /// <summary>The settings with an option applied; for loss, reorder and blackout <paramref name="append"/> keeps the earlier ones.</summary>
    public static LinkSettings Apply(LinkSettings link, string option, ValueReader value, bool append)
    {
        LinkSettings changed = option switch
        {
            "rate" => link with { RateBitsPerSecond = value.ReadRate() },
            "burst" => link with { BurstBytes = value.ReadBytes() },
            "buffer" => link with { Queue = value.ReadDepth() },
            "ecn" => link with { EcnThreshold = value.ReadDepth() },
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

        return new JitterSettings(amount, shape, value.Accept("reorder"));
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
        const string Expected = "an interval such as 1s-10s";
        string interval = value.ReadWord(Expected);
        string[] ends = interval.Split('-');
        long min = value.ParseTime(ends[0]);
        long max = value.ParseTime(ends[^1]);
        if (ends.Length > 2 || max < min)
        {
            throw value.Error(Expected, interval);
        }

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
