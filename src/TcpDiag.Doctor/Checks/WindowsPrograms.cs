using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text.RegularExpressions;
using System.Threading;
using TcpDiag.Analysis.Findings;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Doctor.Checks;

/// <summary>What Windows tells through programs alone. Their words are in the language of the machine: only exit codes and numbers are read.</summary>
static partial class WindowsPrograms
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    /// <summary>The signal of the wireless link: the only percentage that netsh prints of it.</summary>
    public static IEnumerable<Check> Wifi(ICaptureMachine machine, CancellationToken cancel)
    {
        ProgramResult result = machine.Run(ProgramCall.Of("netsh", "wlan", "show", "interfaces"), Limit, _ => cancel.ThrowIfCancellationRequested());
        Match signal = Percentage().Match(result.Output);
        return
        [
            signal.Success
                ? WifiSignal.Judge("Wi-Fi", (int.Parse(signal.Groups["number"].ValueSpan, CultureInfo.InvariantCulture) / 2.0) - 100, "%")
                : new(CheckIds.Wifi, CheckResult.Fine, "no wireless link is in use"),
        ];
    }

    /// <summary>Whether the time service runs and knows a source.</summary>
    public static IEnumerable<Check> Clock(ICaptureMachine machine, CancellationToken cancel)
    {
        ProgramResult result = machine.Run(ProgramCall.Of("w32tm", "/query", "/status"), Limit, _ => cancel.ThrowIfCancellationRequested());
        return
        [
            result.Succeeded
                ? new(CheckIds.Clock, CheckResult.Fine, "the time service runs")
                : new(CheckIds.Clock, CheckResult.Note, $"the time service does not answer ({result.Describe()}): recordings of two machines do not fit")
                {
                    Remedy = new("Starts the time service.", "net start w32time", "net stop w32time", Doer.Administrator),
                    BearsOn = [FindingIds.ClockStep],
                },
        ];
    }

    [GeneratedRegex(@"\b(?<number>100|\d{1,2})\s?%", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Percentage();
}
