using System.Collections.Generic;
using System.Globalization;
using System.Text.Json.Serialization;
using TcpDiag.Capture;
using TcpDiag.Impairment.Profiles;

namespace TcpDiag.Lab.Matrix;

/// <summary>What is recorded of each run.</summary>
public sealed record RecordingSettings
{
    const int MinSnapBytes = 64;
    const int MaxSnapBytes = 65_536;

    /// <summary>The settings a matrix may give.</summary>
    public static IReadOnlyList<string> Names { get; } = ["snap", "sample", "events", "receiver", "between"];

    /// <summary>Bytes kept of each packet.</summary>
    public int SnapBytes { get; init; } = CaptureSettings.HeaderSnapLength;

    /// <summary>Time between two samples of tcp_info, nanoseconds; 0 for none.</summary>
    public long SampleNs { get; init; } = 10_000_000;

    /// <summary>Whose events and samples are recorded.</summary>
    public RecordedEvents Events { get; init; }

    /// <summary>Whether packets are recorded at the receiver too.</summary>
    public bool AtReceiver { get; init; } = true;

    /// <summary>Whether packets are also recorded on the way, behind what is emulated in front of the observation point.</summary>
    public bool IsBetween { get; init; }

    /// <summary>Whether another machine, whose word they are, may have them.</summary>
    internal bool IsSane => SnapBytes is >= MinSnapBytes and <= MaxSnapBytes && SampleNs >= 0;

    /// <summary>The same with one setting replaced.</summary>
    /// <param name="where">Where it stands, for messages.</param>
    /// <param name="option">The setting.</param>
    /// <returns>The settings.</returns>
    /// <exception cref="ImpairmentException">It is not understood.</exception>
    public RecordingSettings With(string where, LabOption option) => option.Name switch
    {
        "snap" => this with { SnapBytes = ReadSnap(where, option.Value) },
        "sample" => this with { SampleNs = ImpairmentOptionsParser.ReadTime(where, option.Value) },
        "events" => this with { Events = ReadEvents(where, option.Value) },
        "receiver" => this with { AtReceiver = ReadBoolean(where, option.Value) },
        "between" => this with { IsBetween = ReadBoolean(where, option.Value) },
        _ => throw new ImpairmentException(where, $"one of {string.Join(", ", Names)}", $"'{option.Name}'"),
    };

    static bool ReadBoolean(string where, string value) => value switch
    {
        "yes" => true,
        "no" => false,
        _ => throw new ImpairmentException(where, "yes or no", $"'{value}'"),
    };

    static int ReadSnap(string where, string value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int bytes) && bytes is >= MinSnapBytes and <= MaxSnapBytes
            ? bytes
            : throw new ImpairmentException(where, "64 to 65536 bytes", $"'{value}'");

    static RecordedEvents ReadEvents(string where, string value) => value switch
    {
        "both" => RecordedEvents.Both,
        "sender" => RecordedEvents.Sender,
        "none" => RecordedEvents.None,
        _ => throw new ImpairmentException(where, "both, sender or none", $"'{value}'"),
    };
}

/// <summary>Whose kernel events and samples are recorded beside the packets.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<RecordedEvents>))]
public enum RecordedEvents
{
    /// <summary>Each end's in its own capture.</summary>
    [JsonStringEnumMemberName("both")]
    Both,

    /// <summary>The sender's.</summary>
    [JsonStringEnumMemberName("sender")]
    Sender,

    /// <summary>Packets only.</summary>
    [JsonStringEnumMemberName("none")]
    None,
}
