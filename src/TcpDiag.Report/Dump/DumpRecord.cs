using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Report.Dump;

/// <summary>One event to show, as a view on the reader's buffers.</summary>
ref struct DumpRecord
{
    /// <summary>The record.</summary>
    public EtlRecord Record;

    /// <summary>Nanoseconds since 1970.</summary>
    public long Nanoseconds;

    /// <summary>Nanoseconds since the start of the trace.</summary>
    public long SinceStart;

    /// <summary>Its schema, and how it was found.</summary>
    public SchemaMatch Match;
}
