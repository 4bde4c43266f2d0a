using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using TcpDiag.Analysis.Findings;
using TcpDiag.Platform;

namespace TcpDiag.Doctor.Changes;

/// <summary>What ethtool(8) prints, <c>NAME: on|off</c> with more behind it.</summary>
static class EthtoolText
{
    /// <summary>An offload; one that consists of several must have them all alike, or the way back would not be exact.</summary>
    /// <exception cref="PlatformException">They are not, or it cannot be changed.</exception>
    public static string Feature(string text, MachineSetting setting)
    {
        string name = setting.Name switch
        {
            "tso" => "tcp-segmentation-offload",
            "gso" => "generic-segmentation-offload",
            _ => "generic-receive-offload",
        };
        string[] lines = text.Split('\n');
        int at = Array.FindIndex(lines, line => line.StartsWith(name + ":", StringComparison.Ordinal));
        string[] states = at < 0 ? [] : [.. lines.Skip(at + 1).TakeWhile(line => line.StartsWith('\t')).Where(
            line => !line.Contains("[fixed]", StringComparison.Ordinal)).Select(State)];
        return at >= 0 && State(lines[at]) is ("on" or "off") and var state && !lines[at].Contains("[fixed]", StringComparison.Ordinal)
            && Array.TrueForAll(states, other => string.Equals(other, state, StringComparison.Ordinal))
                ? state
                : throw MachineSettings.Unreadable(setting);
    }

    /// <summary>A flag of a driver.</summary>
    /// <exception cref="PlatformException">There is no such flag.</exception>
    public static string Flag(string text, MachineSetting setting) =>
        text.Split('\n').Where(line => line.Split(':')[0].Trim() is { } name && string.Equals(name, setting.Name, StringComparison.Ordinal)).Select(State)
            .FirstOrDefault()
            is ("on" or "off") and var state ? state : throw MachineSettings.Unreadable(setting);

    static string State(string line) => line[(line.IndexOf(':', StringComparison.Ordinal) + 1)..]
        .Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries) is [var state, ..] ? state : string.Empty;
}

/// <summary>What tc(8) prints as JSON.</summary>
static class QdiscText
{
    // Handles from here on are given by the kernel, to whom asks for none.
    const int FirstAutomatic = 0x8000;

    /// <summary>The queue at an interface, as the words that put it there.</summary>
    /// <exception cref="PlatformException">It has settings that these words would not restore.</exception>
    public static string Root(string json, MachineSetting setting)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(json);
            JsonElement root = document.RootElement.EnumerateArray().First(qdisc => qdisc.TryGetProperty("root", out _));
            (string handle, string kind) = (root.GetProperty("handle").GetString()!, root.GetProperty("kind").GetString()!);

            // What the kernel puts there itself has no handle.
            return handle is "0:" ? MachineSetting.DefaultQdisc : Handle(handle) + kind switch
            {
                "pfifo_fast" => kind,
                "fq_codel" when IsDefaultCodel(root.GetProperty("options")) => kind,
                "pfifo" or "bfifo" => string.Create(
                    CultureInfo.InvariantCulture, $"{kind} limit {root.GetProperty("options").GetProperty("limit").GetInt64()}"),
                _ => throw MachineSettings.Unreadable(setting),
            };
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException or KeyNotFoundException or FormatException)
        {
            throw MachineSettings.Unreadable(setting);
        }
    }

    // tc-fq_codel(8); the kernel rounds 5 ms and 100 ms down.
    static bool IsDefaultCodel(JsonElement options) => options.GetProperty("limit").GetInt64() is 10_240 && options.GetProperty("flows").GetInt64() is 1024
        && options.GetProperty("target").GetInt64() is 4999 && options.GetProperty("interval").GetInt64() is 99_999;

    static string Handle(string handle) =>
        int.TryParse(handle.TrimEnd(':'), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out int number) && number < FirstAutomatic
            ? $"handle {handle} " : string.Empty;
}
