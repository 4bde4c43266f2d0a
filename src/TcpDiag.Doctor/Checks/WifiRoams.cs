using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Doctor.Checks;

/// <summary>What became of a wireless link.</summary>
enum WifiChange
{
    /// <summary>It was made anew while it was up: with another access point, or the same one.</summary>
    Roamed,

    /// <summary>It was lost.</summary>
    Lost,
}

/// <summary>A time at which something became of a wireless link.</summary>
readonly record struct WifiMoment(DateTimeOffset Time, WifiChange Change);

/// <summary>Judges when wireless links changed: packets are lost or late around such a moment, and what they ask for is sent again.</summary>
static class WifiRoams
{
    const int MaxTimes = 5;

    static readonly Message Compare =
        "Stay where you are, or use a cable, and compare. Whoever runs the access points can see why they hand over, and whether they do so fast (802.11r).";

    static readonly string[] Effects =
    [
        FindingIds.PathLoss, FindingIds.TailLoss, FindingIds.RtoStalls, FindingIds.LostRetransmissions, FindingIds.SpuriousRetransmissions,
            FindingIds.SlowStartLeftEarly,
        FindingIds.PathReordering, FindingIds.CwndLimitedByReordering, FindingIds.DeadPeer, FindingIds.ApplicationTimeout, FindingIds.SynRetransmitted,
            FindingIds.NameLookupDelay,
    ];

    /// <summary>Of the time of a recording: each moment, so that it can be compared with what was found.</summary>
    public static IEnumerable<Check> WhileRecorded(IReadOnlyList<WifiMoment> moments) =>
    [
        .. Of(moments, WifiChange.Roamed, times =>
        $"the wireless link changed its access point, or joined it anew, while it was recorded: at {Times(times)} UTC"),
        .. Of(moments, WifiChange.Lost, times => $"the wireless link was lost while it was recorded: at {Times(times)} UTC"),
    ];

    /// <summary>Of an hour.</summary>
    public static IEnumerable<Check> InAnHour(IReadOnlyList<WifiMoment> moments) =>
    [
        .. Of(moments, WifiChange.Roamed, times =>
        $"in the last hour the wireless link changed its access point, or joined it anew, {times.Length} times, last at {Time(times[^1])} UTC"),
        .. Of(moments, WifiChange.Lost, times => $"in the last hour the wireless link was lost {times.Length} times, last at {Time(times[^1])} UTC"),
    ];

    static IEnumerable<Check> Of(IReadOnlyList<WifiMoment> moments, WifiChange change, Func<DateTimeOffset[], Message> say)
    {
        DateTimeOffset[] times = [.. moments.Where(moment => moment.Change == change).Select(moment => moment.Time).Order()];
        return times.Length == 0
            ? []
            : [new(CheckIds.Wifi, CheckResult.Note, say(times)) { Remedy = new(Compare, null, null, Doer.User), BearsOn = Effects }];
    }

    static string Times(DateTimeOffset[] times) => string.Join(", ", times.Take(MaxTimes).Select(Time)) + (times.Length > MaxTimes ? ", …" : string.Empty);

    static string Time(DateTimeOffset time) => time.ToString("HH:mm:ss", CultureInfo.InvariantCulture);
}
