using System;
using System.Collections.Generic;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Schemas;
using TcpDiag.Wire;

namespace TcpDiag.Traces.StackEvents;

/// <summary>
/// Turns events of Windows (TCPIP of every build, AFD, name resolution, Kernel-Network, kernel TcpIp and Process) into
/// the common vocabulary. One table says which event is what (docs/formats/stack-events.md); the offsets of each layout
/// are found at its first event, after which decoding allocates nothing but names. Not safe for several threads.
/// </summary>
public sealed class WindowsStackEventDecoder
{
    // TCPIP ids with plans in an array: 1000 to 2023, versions 0 to 7, both pointer sizes.
    const int FirstId = 1000;
    const int IdCount = 1024;
    const int VersionCount = 8;

    static readonly Lazy<Dictionary<(Guid, int), StackEventMapping>> Mappings = new(IndexMappings);

    readonly int? _build;
    readonly InFileSchemas? _inFile;
    readonly DecodingPlan?[] _tcpipPlans = new DecodingPlan?[IdCount * VersionCount * 2];
    readonly Dictionary<PlanKey, DecodingPlan> _plans = [];
    readonly Dictionary<(EventSchema, bool), DecodingPlan> _plansBySchema = [];

    /// <summary>Creates a decoder for one trace.</summary>
    /// <param name="build">The Windows build that logged it, or null when unknown.</param>
    /// <param name="inFile">Schemas found in the trace, which go before the bundled ones.</param>
    public WindowsStackEventDecoder(int? build, InFileSchemas? inFile = null)
    {
        _build = build;
        _inFile = inFile;
    }

    /// <summary>Decodes a record if it holds something the vocabulary has.</summary>
    /// <param name="record">The record.</param>
    /// <param name="time">When it was logged.</param>
    /// <param name="target">Overwritten when the result is true, unchanged otherwise.</param>
    /// <returns>False when the record is something else.</returns>
    public bool TryDecode(in EtlRecord record, TraceTime time, StackEvent target)
    {
        if (record.HeaderType == EtlHeaderType.Message)
        {
            return false;
        }

        DecodingPlan plan = PlanOf(record);
        return plan != DecodingPlan.Nothing
            && plan.TryRun(record.Payload, record.Is64Bit, time, record.ProcessId, target);
    }

    static Dictionary<(Guid, int), StackEventMapping> IndexMappings()
    {
        var index = new Dictionary<(Guid, int), StackEventMapping>(StackEventTable.All.Count);
        foreach (StackEventMapping mapping in StackEventTable.All)
        {
            index.Add((mapping.Provider, mapping.Id), mapping);
        }

        return index;
    }

    DecodingPlan PlanOf(in EtlRecord record)
    {
        Guid provider = record.Provider;
        int id = record.IsClassic ? record.Opcode : record.Id;
        uint index = (uint)(id - FirstId);
        if (index < IdCount && record.Version < VersionCount && provider == StackEventTable.Tcpip)
        {
            ref DecodingPlan? plan = ref _tcpipPlans[(((index * VersionCount) + record.Version) * 2) + (record.Is64Bit ? 1 : 0)];
            return plan ?? Resolve(record, provider, id, ref plan);
        }

        var key = new PlanKey(provider, id, record.Version, record.IsClassic, record.Is64Bit);
        if (_plans.TryGetValue(key, out DecodingPlan? known))
        {
            return known;
        }

        DecodingPlan? kept = null;
        DecodingPlan made = Resolve(record, provider, id, ref kept);
        if (kept is not null)
        {
            _plans.Add(key, kept);
        }

        return made;
    }

    // A layout chosen by payload length holds for this record only.
    DecodingPlan Resolve(in EtlRecord record, Guid provider, int id, ref DecodingPlan? kept)
    {
        if (!Mappings.Value.TryGetValue((provider, id), out StackEventMapping? mapping))
        {
            return kept = DecodingPlan.Nothing;
        }

        SchemaMatch match = Find(record, provider, id);
        if (match.Schema is not { } schema)
        {
            return kept = DecodingPlan.Nothing;
        }

        if (!_plansBySchema.TryGetValue((schema, record.Is64Bit), out DecodingPlan? plan))
        {
            plan = DecodingPlanner.Plan(mapping, schema, record.Is64Bit);
            _plansBySchema.Add((schema, record.Is64Bit), plan);
        }

        if (match.Kind != SchemaMatchKind.PayloadLength)
        {
            kept = plan;
        }

        return plan;
    }

    SchemaMatch Find(in EtlRecord record, Guid provider, int id)
    {
        EventSchema? inFile = _inFile?.Find(record);
        if (inFile is not null)
        {
            return new SchemaMatch(inFile, SchemaMatchKind.InFile);
        }

        return record.IsClassic
            ? new SchemaMatch(ClassicSchemas.Find(provider, id, record.Version), SchemaMatchKind.SameOnAllBuilds)
            : SchemaCatalog.Bundled.Find(_build, provider, id, record.Version, record.Payload.Length, record.Is64Bit);
    }

    readonly record struct PlanKey(Guid Provider, int Id, byte Version, bool IsClassic, bool Is64Bit);
}
