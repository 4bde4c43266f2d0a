using System.Text.Json.Serialization;

namespace TcpDiag.Lab.Flows;

/// <summary>How a flow ended, as one of its programs saw it.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<FlowOutcome>))]
public enum FlowOutcome
{
    /// <summary>Everything was sent and the other end closed after it.</summary>
    [JsonStringEnumMemberName("complete")]
    Complete,

    /// <summary>The receiver closed at its time, before everything had arrived.</summary>
    [JsonStringEnumMemberName("closed")]
    Closed,

    /// <summary>The other end reset the connection.</summary>
    [JsonStringEnumMemberName("reset")]
    Reset,

    /// <summary>The time limit ended it.</summary>
    [JsonStringEnumMemberName("time-limit")]
    TimeLimit,
}
