using System.Text.Json.Serialization;

namespace TcpDiag.Lab.Matrix;

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
