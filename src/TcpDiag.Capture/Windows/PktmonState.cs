using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.Windows;

/// <summary>
/// What pktmon tells of itself, read by its shape: the words are translated. <c>pktmon filter list</c> prints a table whose rows are numbered from 1, then a name; <c>pktmon
/// status</c> one line when it is idle, and of what runs at least what is collected, where, and the filters, each with a head.
/// </summary>
static partial class PktmonState
{
    // "Packet Monitor is not running." is one; counters alone, the least that runs, are six.
    const int MaxIdleLines = 3;

    /// <summary>The filters in force.</summary>
    /// <param name="listed">What <c>pktmon filter list</c> ended with.</param>
    /// <returns>Their names, once for each; pktmon's own word for one that has none.</returns>
    public static List<string> Filters(ProgramResult listed) => [.. Row().Matches(listed.Output).Select(row => row.Groups["name"].Value)];

    /// <summary>The filters in force, as their table has them.</summary>
    /// <param name="listed">What <c>pktmon filter list</c> ended with.</param>
    /// <returns>A line each, one blank between its columns.</returns>
    public static List<string> Rows(ProgramResult listed) =>
        [.. listed.Output.Split('\n').Where(line => Row().IsMatch(line)).Select(line => string.Join(' ', line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)))];

    /// <summary>All that it prints, where a name that is known is looked for, whatever the shape.</summary>
    /// <param name="listed">What <c>pktmon filter list</c> ended with.</param>
    /// <returns>The words.</returns>
    public static string[] Words(ProgramResult listed) => listed.Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Whether it collects anything, packets or counters.</summary>
    /// <param name="status">What <c>pktmon status</c> ended with.</param>
    /// <returns>False also where it does not tell.</returns>
    public static bool IsRunning(ProgramResult status) =>
        status.Succeeded && status.Output.Split('\n').Count(line => !string.IsNullOrWhiteSpace(line)) - Filters(status).Count > MaxIdleLines;

    [GeneratedRegex(@"^[ \t]*[0-9]+[ \t]+(?<name>[^ \t\r\n]+)", RegexOptions.Multiline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Row();
}
