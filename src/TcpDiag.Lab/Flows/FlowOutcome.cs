using System.Text.Json.Serialization;

namespace TcpDiag.Lab.Flows;

/// <summary>How a flow ended, as one of its programs saw it.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<FlowOutcome>))]
public enum FlowOutcome
{
    /// <summary>Everything was sent and the other end closed after it.</summary>
    [JsonStringEnumMemberName("complete")]
    Complete,

    /// <summary>The other end closed before everything had been sent or had arrived, or the receiver did at its time.</summary>
    [JsonStringEnumMemberName("closed")]
    Closed,

    /// <summary>The other end reset the connection.</summary>
    [JsonStringEnumMemberName("reset")]
    Reset,

    /// <summary>The time limit ended it.</summary>
    [JsonStringEnumMemberName("time-limit")]
    TimeLimit,
}
