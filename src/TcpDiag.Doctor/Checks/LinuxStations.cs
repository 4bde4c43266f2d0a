using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Doctor.Checks;

/// <summary>An access point that a wireless link of Linux is joined to.</summary>
/// <param name="Link">The link.</param>
/// <param name="Level">Its signal, dBm; null where the driver does not tell.</param>
/// <param name="Since">When it was joined; null where the driver does not tell.</param>
readonly record struct Station(string Link, double? Level, DateTimeOffset? Since);

/// <summary>Wireless links of Linux as nl80211 knows them, through iw(8), whose words are the same in every language.</summary>
static partial class LinuxStations
{
    static readonly string[] Marks = ["wireless", "phy80211"];

    /// <summary>The access points.</summary>
    /// <param name="folder">The links, /sys/class/net.</param>
    /// <param name="run">Runs a program.</param>
    /// <param name="now">The time.</param>
    /// <returns>One for each link that is joined to one; none where there is no wireless link.</returns>
    /// <exception cref="CaptureException">There is no iw.</exception>
    public static IReadOnlyList<Station> Read(string folder, Func<ProgramCall, ProgramResult> run, DateTimeOffset now) =>
    [
        .. Directory.EnumerateDirectories(folder).Where(link => Array.Exists(Marks, mark => Path.Exists(Path.Combine(link, mark))))
        .Order(StringComparer.Ordinal)
            .Select(link => Path.GetFileName(link)).Select(link => Of(link, run(ProgramCall.Of("iw", "dev", link, "station", "dump")), now)).OfType<Station>(),
    ];

    /// <summary>Their signals.</summary>
    public static IEnumerable<Check> Signals(IReadOnlyList<Station> stations) => stations.Select(station => station.Level is { } level
        ? WifiSignal.Judge(station.Link, level, "dBm")
        : new(CheckIds.Wifi, CheckResult.Unknown, $"{station.Link}: its driver does not tell the signal"));

    /// <summary>Those that were joined since a time: of several, the last is known.</summary>
    public static IReadOnlyList<WifiMoment> JoinedSince(IReadOnlyList<Station> stations, DateTimeOffset begin) =>
        [.. stations.Where(station => station.Since > begin).Select(station => new WifiMoment(station.Since!.Value, WifiChange.Roamed))];

    // An access point has as many stations as are joined to it.
    static Station? Of(string link, ProgramResult result, DateTimeOffset now)
    {
        if (!result.Succeeded || Stations().Count(result.Output) != 1)
        {
            return null;
        }

        Match level = Signal().Match(result.Output);
        Match time = ConnectedTime().Match(result.Output);
        return new(link, level.Success ? Number(level) : null, time.Success ? now - TimeSpan.FromSeconds(Number(time)) : null);
    }

    static double Number(Match match) => double.Parse(match.Groups["number"].ValueSpan, CultureInfo.InvariantCulture);

    [GeneratedRegex(@"^Station ", RegexOptions.Multiline, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Stations();

    [GeneratedRegex(@"^\s+signal:\s+(?<number>-\d{1,3})\b", RegexOptions.ExplicitCapture | RegexOptions.Multiline, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Signal();

    [GeneratedRegex(@"^\s+connected time:\s+(?<number>\d{1,9}) seconds", RegexOptions.ExplicitCapture | RegexOptions.Multiline, matchTimeoutMilliseconds: 1000)]
    private static partial Regex ConnectedTime();
}
