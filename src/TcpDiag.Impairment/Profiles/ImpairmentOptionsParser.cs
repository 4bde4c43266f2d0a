using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using TcpDiag.Impairment.Reordering;

namespace TcpDiag.Impairment.Profiles;

/// <summary>
/// Builds a profile from the options of a command line or a profile file: <c>rate 100mbit</c>, <c>rtt 25ms</c>, <c>buffer 1bdp</c>, <c>loss 0.1pct</c>,
/// <c>reorder 1pct:replace:5ms</c>, <c>seed 7</c>. A value holds for both directions unless it begins with <c>out:</c> or <c>in:</c>, and for the
/// segment in front of the observation point unless it begins with <c>behind:</c>. The language is described in docs/impairment.md.
/// </summary>
public sealed class ImpairmentOptionsParser
{
    const int Segments = 2;
    const int Directions = 2;
    const string Rtt = "rtt";
    const string Delay = "delay";
    const string Trace = "trace";

    /// <summary>What a value that holds from some time on begins with.</summary>
    internal const string At = "at:";

    readonly LinkSettings[] _links = new LinkSettings[Segments * Directions];
    readonly LinkSchedule[] _schedules = [new(), new(), new(), new()];
    readonly HashSet<(string Option, int Link)> _given = [];
    readonly OptionsInForce _inForce = new();
    readonly TraceFiles _traces;
    ImpairmentProfile _profile = new();
    ulong _seed = 1;
    int _source;

    /// <summary>Starts without options: the path built then impairs nothing.</summary>
    /// <param name="mayReadFiles">Whether an option may name a file of this machine. Not where options come from another one.</param>
    public ImpairmentOptionsParser(bool mayReadFiles = true)
    {
        Array.Fill(_links, new LinkSettings());
        _traces = new TraceFiles(mayReadFiles);
    }

    /// <summary>The options <see cref="Set"/> knows.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. LinkOptions.Names, Rtt, "seed", "limit", "name", "description"];

    /// <summary>Reads a bare duration, e.g. how long to run.</summary>
    /// <param name="where">Where it is, for messages.</param>
    /// <param name="value">The duration, e.g. <c>60s</c> or <c>5min</c>.</param>
    /// <returns>Nanoseconds, at most a day.</returns>
    /// <exception cref="ImpairmentException">The value is not a duration.</exception>
    public static long ReadTime(string where, string value) => ReadOnlyTime(new ValueReader(where, value));

    /// <summary>Reads a bare number of bytes, e.g. the size of a flow.</summary>
    /// <param name="where">Where it is, for messages.</param>
    /// <param name="value">The number, e.g. <c>32mb</c> or <c>64kib</c>.</param>
    /// <returns>Bytes, at most 2³⁰.</returns>
    /// <exception cref="ImpairmentException">The value is not a number of bytes.</exception>
    public static long ReadBytes(string where, string value)
    {
        ValueReader reader = new(where, value);
        long bytes = reader.ReadBytes();
        reader.ReadEnd();
        return bytes;
    }

    /// <summary>Reads a bare rate, e.g. how fast to read.</summary>
    /// <param name="where">Where it is, for messages.</param>
    /// <param name="value">The rate, e.g. <c>10mbit</c>.</param>
    /// <returns>Bit/s, 1 … 10¹².</returns>
    /// <exception cref="ImpairmentException">The value is not a rate.</exception>
    public static long ReadRate(string where, string value)
    {
        ValueReader reader = new(where, value);
        long rate = reader.ReadRate();
        reader.ReadEnd();
        return rate;
    }

    /// <summary>Sets an option. Given again, loss, reorder, blackout and cross are added to what was given before; the others replace it.</summary>
    /// <param name="where">Where the option is, for messages: <c>--loss</c>, or file:line:column.</param>
    /// <param name="option">Its name without dashes.</param>
    /// <param name="value">Its value.</param>
    /// <exception cref="ImpairmentException">The name or the value cannot be parsed.</exception>
    public void Set(string where, string option, string value)
    {
        switch (option)
        {
            case "name":
                _profile = _profile with { Name = value };
                return;
            case "description":
                _profile = _profile with { Description = value };
                return;
            case "seed":
                _seed = ReadSeed(where, value);
                return;
            case "limit":
                _profile = _profile with { DelayErrorLimitNanos = ReadOnlyTime(new ValueReader(where, value)) };
                Record(option, value);
                break;
            case Rtt when value.Contains(At, StringComparison.OrdinalIgnoreCase):
                SetRttLater(where, value);
                break;
            case Rtt:
                SetRtt(ReadOnlyTime(new ValueReader(where, value)));
                ForgetChanges(Delay, OptionsInForce.BothInFront);
                _inForce.Withdraw(Delay, OptionsInForce.BothInFront);
                Record(option, value);
                break;
            default:
                SetLinks(where, option, value);
                break;
        }
    }

    /// <summary>From now on, options replace those given so far instead of adding to them: called between a profile and the command line.</summary>
    public void BeginOverrides()
    {
        _given.Clear();
        _source++;
    }

    /// <summary>The profile the options so far ask for.</summary>
    /// <returns>The profile.</returns>
    /// <exception cref="ImpairmentException">Two of them do not go together, or one needs another.</exception>
    public ImpairmentProfile Build() => _profile with
    {
        Settings = new EmulatorSettings { Out = Path(LinkDirection.Out), In = Path(LinkDirection.In), Seed = _seed },
        Options = _inForce.Lines,
    };

    PathSettings Path(LinkDirection direction)
    {
        LinkSettings before = Link(0, direction);
        LinkSettings behind = Link(1, direction);
        return new PathSettings(before, behind == new LinkSettings() ? null : behind);
    }

    LinkSettings Link(int segment, LinkDirection direction)
    {
        int index = Index(segment, direction);
        LinkSettings link = _schedules[index].ApplyTo(_links[index]);
        bool isLimited = link.RateBitsPerSecond > 0 || link.Changes.Any(change => change.Settings.RateBitsPerSecond > 0);
        Require(link.Trace is null || !isLimited, Trace, "a rate or a trace", "both");
        Require(link.Trace is null || link.BurstBytes == 0, Trace, "a trace without a burst", "both");
        Require(link.Trace is not null || isLimited || link.Cross.Count == 0, "cross", "a rate or a trace that it shares", "neither");
        Require(link.Trace is not null || isLimited || link.Discipline is null, "aqm", "a rate or a trace behind it", "neither");
        return link;
    }

    static void Require(bool holds, string where, string expected, string found)
    {
        if (!holds)
        {
            throw new ImpairmentException(where, expected, found);
        }
    }

    void Record(string option, string value)
    {
        _inForce.Withdraw(option, OptionsInForce.BothInFront);
        _inForce.Add(option, value, OptionsInForce.BothInFront, _source);
    }

    void SetLinks(string where, string option, string value)
    {
        if (Array.IndexOf(LinkOptions.Names, option) < 0)
        {
            throw new ImpairmentException(where, $"one of {string.Join(", ", Names)}", $"'{option}'");
        }

        int links = 0;
        string own = string.Empty;
        for (int link = 0; link < _links.Length; link++)
        {
            ValueReader reader = new(where, value);
            if (IsMeant(reader, link))
            {
                links |= 1 << link;
                own = option is Trace ? reader.RestAsWritten : reader.Rest;
                SetLink(where, option, reader, link);
            }
        }

        _inForce.Add(option, own, links, _source);
    }

    void SetLink(string where, string option, ValueReader reader, int link)
    {
        if (reader.Accept("at"))
        {
            AddChange(where, option, reader, link);
            return;
        }

        bool append = !_given.Add((option, link)) && LinkOptions.IsList(option);
        Replace(option, append ? 0 : 1 << link);
        ForgetChanges(option, 1 << link);
        _links[link] = option is Trace
            ? _links[link] with { Trace = _traces.Read(where, reader.RestAsWritten) }
            : LinkOptions.Apply(_links[link], option, reader, append);
    }

    void AddChange(string where, string option, ValueReader reader, int link)
    {
        if (!LinkOptions.MayChange(option))
        {
            throw reader.Error("at: only with rate, rtt, delay, jitter, loss, reorder, duplicate and corrupt", $"{option} {At}");
        }

        long at = reader.ReadTime();
        ScheduledOption change = new(at, option, where, reader.Rest, _source);
        LinkSettings read = LinkOptions.Apply(new LinkSettings(), option, reader, append: false);
        if (read.Reorderings is [SwapReordering, ..])
        {
            throw reader.Error("no swap after at:", "one");
        }

        ForgetChanges(option, 1 << link);
        _schedules[link].Add(change);
    }

    // What a source says of an option replaces the changes that an earlier source gave it.
    void ForgetChanges(string option, int links)
    {
        _inForce.WithdrawChanges(option, links, _source);
        for (int link = 0; link < _links.Length; link++)
        {
            if ((links & (1 << link)) != 0)
            {
                _schedules[link].ForgetOlder(option, _source);
            }
        }
    }

    // at:10s:50ms, as two changes of the delay.
    void SetRttLater(string where, string value)
    {
        ValueReader reader = new(where, value);
        bool isChange = reader.Accept("at");
        string at = reader.ReadWord("a time such as 10s");
        _ = reader.ParseTime(at);
        long rtt = ReadOnlyTime(reader);
        if (!isChange)
        {
            throw reader.Error("a round-trip time such as 25ms, or at:10s:25ms", value);
        }

        SetLinks(where, Delay, string.Create(CultureInfo.InvariantCulture, $"out:{At}{at}:{rtt - (rtt / 2)}ns"));
        SetLinks(where, Delay, string.Create(CultureInfo.InvariantCulture, $"in:{At}{at}:{rtt / 2}ns"));
    }

    // A delay replaces its half of the round trip; the other half stays.
    void Replace(string option, int links)
    {
        _inForce.Withdraw(option, links);
        if (option is Delay && _inForce.Withdraw(Rtt, links & OptionsInForce.BothInFront))
        {
            _inForce.Withdraw(Rtt, OptionsInForce.BothInFront);
            int other = OptionsInForce.BothInFront & ~links;
            long half = _links[BitOperations.TrailingZeroCount(other)].DelayNanos;
            _inForce.Add(Delay, string.Create(CultureInfo.InvariantCulture, $"{half}ns"), other, _source);
        }
    }

    // Half of the round trip each way; an odd nanosecond goes out.
    void SetRtt(long rtt)
    {
        _links[Index(0, LinkDirection.Out)] = _links[Index(0, LinkDirection.Out)] with { DelayNanos = rtt - (rtt / 2) };
        _links[Index(0, LinkDirection.In)] = _links[Index(0, LinkDirection.In)] with { DelayNanos = rtt / 2 };
    }

    static bool IsMeant(ValueReader value, int link)
    {
        bool behind = value.Accept("behind");
        bool outOnly = value.Accept("out");
        bool inOnly = !outOnly && value.Accept("in");
        bool direction = (LinkDirection)(link % Directions) == LinkDirection.Out ? !inOnly : !outOnly;
        return direction && behind == link >= Directions;
    }

    static int Index(int segment, LinkDirection direction) => (segment * Directions) + (int)direction;

    static long ReadOnlyTime(ValueReader value)
    {
        long time = value.ReadTime();
        value.ReadEnd();
        return time;
    }

    static ulong ReadSeed(string where, string value) =>
        ulong.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out ulong seed)
            ? seed
            : throw new ImpairmentException(where, "a seed from 0 to 18446744073709551615", $"'{value}'");
}
