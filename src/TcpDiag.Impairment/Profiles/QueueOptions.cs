using TcpDiag.Impairment.Cross;
using TcpDiag.Impairment.Queues;
using TcpDiag.Impairment.Rates;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Impairment.Profiles;

/// <summary>Reads the values that say how a link's queue is managed, what its frames cost, and who else uses it.</summary>
static class QueueOptions
{
    const int MaxFlows = 64;
    const int MaxOverhead = 1_000;
    const long ShortestTime = 1_000;

    /// <summary><c>codel</c>, <c>codel:5ms:100ms</c>, <c>fq_codel:ecn</c>, <c>pie:15ms:15ms:ecn</c>, or <c>fifo</c>.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public static QueueSettings? ReadDiscipline(ValueReader value)
    {
        const string Expected = "fifo, codel, fq_codel or pie, as in codel:5ms:100ms or fq_codel:ecn";
        string kind = value.ReadWord(Expected);
        return kind switch
        {
            "fifo" => null,
            "codel" when ReadTimes(value, CodelSettings.DefaultTarget, CodelSettings.DefaultInterval) is var (target, interval, ecn) =>
                new CodelSettings(target, interval, ecn),
            "fq_codel" when ReadTimes(value, CodelSettings.DefaultTarget, CodelSettings.DefaultInterval) is var (target, interval, ecn) =>
                new FqCodelSettings(target, interval, ecn),
            "pie" when ReadTimes(value, PieSettings.DefaultReference, PieSettings.DefaultUpdate) is var (reference, update, ecn) =>
                new PieSettings(reference, update, ecn),
            _ => throw value.Error(Expected, kind),
        };
    }

    /// <summary><c>ethernet</c>, or bytes with <c>min:84b</c> or <c>atm</c> behind them.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public static LinkOverhead ReadOverhead(ValueReader value)
    {
        if (value.Accept("ethernet"))
        {
            return LinkOverhead.Ethernet;
        }

        int bytes = ReadFrameBytes(value);
        int minimum = value.Accept("min") ? ReadFrameBytes(value) : 0;
        return new LinkOverhead(bytes, minimum, value.Accept("atm"));
    }

    /// <summary><c>cubic:4:20ms</c>, <c>reno:2:50ms:10s+20s</c>, <c>cbr:20mbit</c>.</summary>
    /// <exception cref="ImpairmentException">Something else is there.</exception>
    public static CrossSettings ReadCross(ValueReader value)
    {
        const string Expected = "cubic, reno or cbr, as in cubic:4:20ms, reno:2:50ms:10s+20s or cbr:20mbit";
        string kind = value.ReadWord(Expected);
        switch (kind)
        {
            case "cbr":
                long rate = value.ReadRate();
                (long start, long length) = ReadWindow(value);
                return new ConstantCross(rate, start, length);
            case "cubic":
            case "reno":
                int flows = value.ReadCount();
                long rtt = value.ReadTime();
                Require(flows <= MaxFlows && rtt >= ShortestTime, value, "1 to 64 flows and a round-trip time of at least 1us");
                (start, length) = ReadWindow(value);
                return new CrossFlows(kind is "reno" ? CongestionAlgorithm.Reno : CongestionAlgorithm.Cubic, flows, rtt, start, length);
            default:
                throw value.Error(Expected, kind);
        }
    }

    static (long First, long Second, bool Ecn) ReadTimes(ValueReader value, long first, long second)
    {
        bool ecn = value.Accept("ecn");
        if (!ecn && !value.AtEnd)
        {
            first = value.ReadTime();
            ecn = value.Accept("ecn");
        }

        if (!ecn && !value.AtEnd)
        {
            second = value.ReadTime();
            ecn = value.Accept("ecn");
        }

        Require(first >= ShortestTime && second >= ShortestTime, value, "times of at least 1us");
        return (first, second, ecn);
    }

    // 10s+20s: from 10 s on, for 20 s; without it all the time.
    static (long Start, long Length) ReadWindow(ValueReader value)
    {
        const string Expected = "a start and a length such as 10s+20s";
        if (value.AtEnd)
        {
            return (0, long.MaxValue);
        }

        string word = value.ReadWord(Expected);
        string[] parts = word.Split('+');
        return parts.Length == 2 ? (value.ParseTime(parts[0]), value.ParseTime(parts[1])) : throw value.Error(Expected, word);
    }

    static int ReadFrameBytes(ValueReader value)
    {
        long bytes = value.ReadBytes();
        Require(bytes <= MaxOverhead, value, "at most 1000b of a frame");
        return (int)bytes;
    }

    static void Require(bool holds, ValueReader value, string expected)
    {
        if (!holds)
        {
            throw value.Error(expected, "something else");
        }
    }
}
