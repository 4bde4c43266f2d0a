using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Capture.StandIns;

/// <summary>
/// What pktmon takes, by Microsoft's reference pages: that of 2020-11-12 for build 19041 (<c>pktmon start help</c>, <c>pktmon filter add help</c>),
/// and those of 2021-06-24 for Windows Server 2022 and later. Nothing else is taken.
/// </summary>
static class PktmonSyntax
{
    const int Many = int.MaxValue;

    // Option, and how many values it has at least and at most.
    static readonly Dictionary<string, (int Min, int Max)> OfEtw =
        Of(("--etw", 0, 0), ("-c", 1, Many), ("-d", 0, 0), ("-p", 1, 1), ("-k", 1, 1), ("-f", 1, 1), ("-s", 1, 1), ("--log-mode", 1, 1));

    static readonly Dictionary<string, (int Min, int Max)> OfCapture = Of(
        ("--capture", 0, 0), ("--counters-only", 0, 0), ("--comp", 1, 1), ("--type", 1, 1), ("--pkt-size", 1, 1), ("--flags", 1, 1), ("--trace", 0, 0),
        ("--provider", 1, 1), ("--keywords", 1, 1), ("--level", 1, 1), ("--file-name", 1, 1), ("--file-size", 1, 1), ("--log-mode", 1, 1));

    static readonly Dictionary<string, (int Min, int Max)> OfFilter =
        Of(("-m", 1, 2), ("-v", 1, 1), ("-d", 1, 1), ("-t", 1, Many), ("-i", 1, 2), ("-p", 1, 2), ("-e", 0, 1));

    static readonly string[] LogModes = ["circular", "multi-file", "real-time", "memory"];

    // What belongs to each provider may come again.
    static readonly string[] Repeated = ["--provider", "--keywords", "--level"];

    /// <summary>Whether <c>pktmon start</c> takes options.</summary>
    /// <param name="options">They begin with <c>--etw</c> or <c>--capture</c>.</param>
    /// <param name="build">Build number of Windows.</param>
    public static bool TakesStart(string[] options, int build)
    {
        bool isLater = options is ["--capture", ..];
        return Takes(options, isLater ? OfCapture : OfEtw) && (!isLater || build >= 20348)
            && (Value(options, "--log-mode") is not { } mode || (LogModes.Contains(mode) && build >= 19041));
    }

    /// <summary>Whether <c>pktmon filter add</c> takes options.</summary>
    /// <param name="options">A name, which is optional, and conditions.</param>
    public static bool TakesFilter(string[] options) => Takes(options is [['-', ..], ..] ? options : [.. options.Skip(1)], OfFilter);

    /// <summary>The value of an option; null without it.</summary>
    public static string? Value(string[] options, string name) => Array.IndexOf(options, name) is >= 0 and var at && at + 1 < options.Length
        ? options[at + 1] : null;

    static Dictionary<string, (int Min, int Max)> Of(params (string Name, int Min, int Max)[] options) =>
        options.ToDictionary(option => option.Name, option => (option.Min, option.Max), StringComparer.Ordinal);

    static bool Takes(string[] options, Dictionary<string, (int Min, int Max)> syntax)
    {
        HashSet<string> seen = new(StringComparer.Ordinal);
        for (int i = 0; i < options.Length;)
        {
            int values = options.Skip(i + 1).TakeWhile(word => !word.StartsWith('-')).Count();
            if (!syntax.TryGetValue(options[i], out (int Min, int Max) count) || values < count.Min || values > count.Max
                || (!seen.Add(options[i]) && !Repeated.Contains(options[i], StringComparer.Ordinal)))
            {
                return false;
            }

            i += 1 + values;
        }

        return options.Length > 0;
    }
}
