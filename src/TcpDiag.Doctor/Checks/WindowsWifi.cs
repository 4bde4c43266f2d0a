using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Doctor.Checks;

/// <summary>
/// When wireless links of Windows changed, from the log of its WLAN AutoConfig service, by the ids of the events alone: 8000 a connection is begun, 8001 it is
/// there, 8002 it failed, 8003 it ended, 11001 associated, 11004 security stopped, 11005 security established (messages of wlansvc.dll). What is associated or
/// secured anew without a connection being begun is a roam.
/// </summary>
static partial class WindowsWifi
{
    const int Begun = 8000;
    const int Connected = 8001;
    const int Failed = 8002;
    const int Ended = 8003;
    const int Associated = 11001;
    const int SecurityStopped = 11004;
    const int SecurityDone = 11005;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(20); // PowerShell takes long to start on a slow machine

    // From the end of the old association to the security of the new one; longer is another roam.
    static readonly TimeSpan OneRoam = TimeSpan.FromSeconds(10);

    /// <summary>Reads the log.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="since">How far back.</param>
    /// <param name="cancel">Ends it.</param>
    /// <returns>The moments, oldest first; none where there is no such service.</returns>
    /// <exception cref="CaptureException">The log cannot be read.</exception>
    public static IReadOnlyList<WifiMoment> Read(ICaptureMachine machine, TimeSpan since, CancellationToken cancel)
    {
        cancel.ThrowIfCancellationRequested();
        ProgramResult result = machine.Run(Call(since), Limit, _ => cancel.ThrowIfCancellationRequested());
        return result.Succeeded
            ? [.. Line().Matches(result.Output).Select(LogEntry.Of).OrderBy(entry => entry.Time).GroupBy(
            entry => entry.Link, StringComparer.OrdinalIgnoreCase).SelectMany(Moments)]
            : throw new CaptureException($"PowerShell ended with {result.Describe()}");
    }

    /// <summary>The program that prints of each event its id, its time (ticks of UTC) and the link's GUID, which stands first in some events, second in
    /// others.</summary>
    internal static ProgramCall Call(TimeSpan since) => ProgramCall.Of(
        "powershell", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command",
        "$ErrorActionPreference='Stop'; [Console]::OutputEncoding=New-Object Text.UTF8Encoding $false; try { "
            + "Get-WinEvent -MaxEvents 2000 -FilterHashtable @{LogName='Microsoft-Windows-WLAN-AutoConfig/Operational'; "
            + string.Create(CultureInfo.InvariantCulture, $"Id={Begun},{Connected},{Failed},{Ended},{Associated},{SecurityStopped},{SecurityDone}; ")
            + string.Create(CultureInfo.InvariantCulture, $"StartTime=[DateTime]::UtcNow.AddSeconds(-{Math.Ceiling(since.TotalSeconds):0})}} | ")
            + "ForEach-Object { '{0} {1} {2}' -f $_.Id,$_.TimeCreated.ToUniversalTime().Ticks,$_.Properties[[int]($_.Id -gt 11000)].Value } } "
            + "catch { if ($_.FullyQualifiedErrorId -notlike 'NoMatching*') { throw } }") with
    {
        PrintsUtf8 = true,
    };

    static List<WifiMoment> Moments(IEnumerable<LogEntry> entries)
    {
        List<WifiMoment> moments = [];
        bool isConnecting = false;
        DateTimeOffset? stopped = null;
        DateTimeOffset roamed = default;
        foreach (LogEntry entry in entries)
        {
            isConnecting = entry.Id switch { Begun => true, Connected or Failed => false, _ => isConnecting };
            bool isNew = entry.Id is Associated || (entry.Id is SecurityDone && stopped is { } end && entry.Time - end < OneRoam);
            if (entry.Id is Ended)
            {
                moments.Add(new(entry.Time, WifiChange.Lost));
            }
            else if (isNew && !isConnecting && entry.Time - roamed >= OneRoam)
            {
                moments.Add(new(entry.Time, WifiChange.Roamed));
                roamed = entry.Time;
            }

            stopped = entry.Id is SecurityStopped ? entry.Time : entry.Id is SecurityDone or Ended ? null : stopped;
        }

        return moments;
    }

    readonly record struct LogEntry(int Id, DateTimeOffset Time, string Link)
    {
        public static LogEntry Of(Match line) => new(
            int.Parse(line.Groups["id"].ValueSpan, CultureInfo.InvariantCulture),
            new(Math.Min(long.Parse(line.Groups["ticks"].ValueSpan, CultureInfo.InvariantCulture), DateTimeOffset.MaxValue.Ticks), TimeSpan.Zero),
            line.Groups["link"].Value);
    }

    [GeneratedRegex(@"^(?<id>\d{4,5}) (?<ticks>\d{1,18}) \{?(?<link>[0-9A-Fa-f-]{36})\}?\r?$", RegexOptions.ExplicitCapture | RegexOptions.Multiline,
        matchTimeoutMilliseconds: 1000)]
    private static partial Regex Line();
}
