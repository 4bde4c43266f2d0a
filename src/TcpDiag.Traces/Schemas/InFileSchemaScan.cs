using System;
using TcpDiag.Traces.Etl;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// Collects the schemas that a trace brings along (docs/formats/etl.md, "Schemas inside the file"), record by record in any
/// order. Those that merging adds stand at the end of the file, so the whole trace has to be seen first.
/// </summary>
public sealed class InFileSchemaScan
{
    const byte EventInfoOpcode = 32;
    const byte MapInfoOpcode = 33;

    /// <summary>Class of the descriptions that merging a trace adds.</summary>
    internal static readonly Guid EventInfoClass = new("bbccf6c1-6cd1-48c4-80ff-839482e37671");

    readonly EventMapTable _maps = new();
    readonly ManifestChunks _manifests = new();

    /// <summary>What was found so far.</summary>
    public InFileSchemas Schemas { get; } = new();

    /// <summary>Takes in a record.</summary>
    /// <param name="record">Any record of the trace.</param>
    public void Add(in EtlRecord record)
    {
        if (_manifests.Add(record) is { } manifest)
        {
            EventSourceManifest.Read(manifest, record.Provider, Schemas);
            return;
        }

        if (record.HeaderType != EtlHeaderType.Full || record.Provider != EventInfoClass)
        {
            return;
        }

        switch (record.Opcode)
        {
            case EventInfoOpcode:
                TraceEventInfo.TryAdd(record.Payload, _maps, Schemas);
                break;
            case MapInfoOpcode:
                _maps.TryAdd(record.Payload);
                break;
            default:
                break;
        }
    }
}
