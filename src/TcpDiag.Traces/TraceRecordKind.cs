namespace TcpDiag.Traces;

/// <summary>What a <see cref="TraceRecord"/> holds.</summary>
public enum TraceRecordKind
{
    /// <summary>A captured packet: <see cref="TraceRecord.Data"/> and the packet fields are valid.</summary>
    Packet,

    /// <summary>An event of the TCP stack, in the common vocabulary: <see cref="TraceRecord.Event"/> is valid.</summary>
    StackEvent,

    /// <summary>A pcapng block that is neither (names, secrets, statistics, custom, foreign journal entries): <see cref="TraceRecord.Data"/> is the whole block.</summary>
    Block,
}
