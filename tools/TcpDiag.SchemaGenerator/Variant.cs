using TcpDiag.Traces.Schemas;

namespace TcpDiag.SchemaGenerator;

/// <summary>One layout of one event and the builds that have it.</summary>
sealed record Variant(EventRow Row, FieldSchema[] Fields)
{
    /// <summary>Bit i stands for the i-th build.</summary>
    public uint BuildMask { get; set; }
}
