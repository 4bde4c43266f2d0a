using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;

namespace TcpDiag.Capture.StandIns;

/// <summary>What netsh and pktmon take, by Microsoft's reference pages: every name and every value. Anything else is refused, as they do.</summary>
public static class StandInArguments
{
    static readonly Dictionary<string, Predicate<string>> NetshStart = new(StringComparer.Ordinal)
    {
        ["capture"] = IsYesOrNo,
        ["tracefile"] = IsTrace,
        ["overwrite"] = IsYesOrNo,
        ["maxsize"] = IsCount,
        ["filemode"] = value => value is "single" or "circular" or "append",
        ["report"] = IsSwitch,
        ["correlation"] = IsSwitch,
        ["perfMerge"] = IsYesOrNo,
        ["persistent"] = IsYesOrNo,
        ["packettruncatebytes"] = IsCount,
        ["captureinterface"] = value => value.Length > 0 && !value.StartsWith('('),
        ["ethernet.type"] = value => value is "IPv4" or "IPv6",
        ["protocol"] = value => IsNumber(value, 0, byte.MaxValue),
        ["ipv4.address"] = value => AreAddresses(value, 4),
        ["ipv6.address"] = value => AreAddresses(value, 16),
    };

    static readonly Dictionary<string, Predicate<string>> Provider =
        new(StringComparer.Ordinal) { ["provider"] = IsProvider, ["keywords"] = IsMask, ["level"] = IsLevel };

    // Names and how many values each has: PktmonSyntax.
    static readonly Dictionary<string, Predicate<string>> PktmonValues = new(StringComparer.Ordinal)
    {
        ["--comp"] = IsComponents,
        ["-c"] = IsComponents,
        ["--pkt-size"] = IsCount,
        ["-p"] = IsCount,
        ["--file-name"] = IsTrace,
        ["-f"] = IsTrace,
        ["--file-size"] = IsCount,
        ["-s"] = IsCount,
        ["--provider"] = IsProvider,
        ["--keywords"] = IsMask,
        ["--level"] = IsLevel,
    };

    /// <summary>Whether <c>netsh trace start</c> takes the rest.</summary>
    /// <param name="options">E.g. <c>capture=yes</c>.</param>
    public static bool IsNetshStart(string[] options)
    {
        KeyValuePair<string, string>[] pairs = [.. options
            .Select(option => KeyValuePair.Create(option.Split('=')[0], option[(option.IndexOf('=', StringComparison.Ordinal) + 1)..]))];
        int split = FirstOf("provider", pairs);
        return AreTaken(pairs[..split], NetshStart) && AreProviders(pairs[split..], Provider) && pairs.Any(pair => pair.Key is "tracefile");
    }

    /// <summary>Whether <c>pktmon start</c> takes the rest.</summary>
    /// <param name="options">E.g. <c>--capture --comp nics</c>.</param>
    /// <param name="build">Build number of Windows.</param>
    public static bool IsPktmonStart(string[] options, int build) => PktmonSyntax.TakesStart(options, build)
        && options.Zip(options.Skip(1)).All(pair => !PktmonValues.TryGetValue(pair.First, out Predicate<string>? isTaken) || isTaken(pair.Second));

    /// <summary>Whether <c>pktmon filter add NAME</c> takes the rest.</summary>
    /// <param name="tests">E.g. <c>-t TCP -p 443</c>.</param>
    public static bool IsPktmonFilter(string[] tests)
    {
        if (!PktmonSyntax.TakesFilter(tests))
        {
            return false;
        }

        var seen = new HashSet<string>(StringComparer.Ordinal);
        for (int i = 0; i < tests.Length;)
        {
            string test = tests[i++];
            string[] values = [.. tests[i..].TakeWhile(value => !value.StartsWith('-'))];
            i += values.Length;
            if (!seen.Add(test) || !IsTest(test, values))
            {
                return false;
            }
        }

        return seen.Count > 0;
    }

    static bool IsTest(string test, string[] values) => test switch
    {
        "-d" => values is ["IPv4" or "IPv6"],
        "-t" => values is ["TCP" or "UDP"],
        "-i" => values.Length is 1 or 2 && values.All(IsPrefix),
        "-p" => values.Length is 1 or 2 && values.All(value => IsNumber(value, 0, ushort.MaxValue)),
        _ => false,
    };

    static bool AreTaken(KeyValuePair<string, string>[] pairs, Dictionary<string, Predicate<string>> known) =>
        pairs.DistinctBy(pair => pair.Key, StringComparer.Ordinal).Count() == pairs.Length
            && Array.TrueForAll(pairs, pair => known.TryGetValue(pair.Key, out Predicate<string>? isTaken) && isTaken(pair.Value));

    // Each in threes: name, keywords, level.
    static bool AreProviders(KeyValuePair<string, string>[] pairs, Dictionary<string, Predicate<string>> known) =>
        pairs.Length % known.Count == 0 && pairs.Chunk(known.Count).All(provider => provider
            .Select(pair => pair.Key).SequenceEqual(known.Keys, StringComparer.Ordinal) && AreTaken(provider, known));

    static int FirstOf(string key, KeyValuePair<string, string>[] pairs)
    {
        int first = Array.FindIndex(pairs, pair => string.Equals(pair.Key, key, StringComparison.Ordinal));
        return first < 0 ? pairs.Length : first;
    }

    static bool IsYesOrNo(string value) => value is "yes" or "no";

    static bool IsSwitch(string value) => value is "yes" or "no" or "disabled";

    static bool IsComponents(string value) => value is "all" or "nics" || value.Split(',').All(IsCount);

    static bool IsProvider(string value) => value.StartsWith("Microsoft-Windows-", StringComparison.Ordinal) || Guid.TryParse(value, out _);

    static bool IsTrace(string value) => Path.IsPathFullyQualified(value) && value.EndsWith(".etl", StringComparison.Ordinal);

    static bool IsCount(string value) => IsNumber(value, 1, int.MaxValue);

    static bool IsLevel(string value) => IsNumber(value, 0, byte.MaxValue);

    static bool IsMask(string value) => value.StartsWith("0x", StringComparison.Ordinal)
        && ulong.TryParse(value.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out _);

    static bool IsNumber(string value, int min, int max) => int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
        && number >= min && number <= max;

    static bool AreAddresses(string value, int bytes) =>
        value.Trim('(', ')').Split(',').All(one => IPAddress.TryParse(one, out IPAddress? address) && address.GetAddressBytes().Length == bytes);

    static bool IsPrefix(string value) => value.Split('/') is [var host, .. var bits] && IPAddress.TryParse(host, out IPAddress? address)
        && (bits is [] || (bits is [var length] && IsNumber(length, 0, address.GetAddressBytes().Length * 8)));
}
