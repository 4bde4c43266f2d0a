using System;
using System.Collections.Generic;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Traces.StackEvents;

/// <summary>Builds a <see cref="DecodingPlan"/> from a mapping and a layout: finds what to read, and where.</summary>
sealed class DecodingPlanner
{
    readonly StackEventMapping _mapping;
    readonly EventSchema _schema;
    readonly bool _is64Bit;
    readonly List<PlanStep> _steps = [];
    readonly Dictionary<int, int> _slots = [];
    int _offset;

    DecodingPlanner(StackEventMapping mapping, EventSchema schema, bool is64Bit)
    {
        _mapping = mapping;
        _schema = schema;
        _is64Bit = is64Bit;
    }

    /// <summary>Makes a plan.</summary>
    /// <param name="mapping">What the event means.</param>
    /// <param name="schema">Its layout.</param>
    /// <param name="is64Bit">Whether pointers take 8 bytes.</param>
    public static DecodingPlan Plan(StackEventMapping mapping, EventSchema schema, bool is64Bit)
    {
        var planner = new DecodingPlanner(mapping, schema, is64Bit);
        for (int i = 0; i < schema.Fields.Length && planner.TryAdd(ref i); i++)
        {
            // The work is in the condition: a field whose length cannot be known ends the plan.
        }

        string event_ = mapping.Provider == schema.Provider && schema.Id == 0 ? schema.Name : $"{schema.Id}";
        return new DecodingPlan(mapping, $"{schema.ProviderName}/{event_} v{schema.Version}", [.. planner._steps]);
    }

    bool TryAdd(ref int index)
    {
        FieldSchema field = _schema.Fields[index];
        if (field.IsArray || field.InType == InType.Struct)
        {
            return false;
        }

        if (field.Name is "daddr" && TryAddKernelEndpoints(ref index))
        {
            return true;
        }

        if (IsLengthOfOther(index))
        {
            return TryAddLength(index, InTypes.FixedSize(field.InType, _is64Bit));
        }

        int size = InTypes.FixedSize(field.InType, _is64Bit);
        return size > 0 ? AddFixed(field, size) : TryAddVariable(field);
    }

    bool IsLengthOfOther(int index)
    {
        foreach (FieldSchema other in _schema.Fields)
        {
            if (other.Length == FieldLength.In(index))
            {
                return true;
            }
        }

        return false;
    }

    bool TryAddLength(int index, int size)
    {
        if (_slots.Count == DecodingPlan.MaxLengths)
        {
            return false;
        }

        _slots.Add(index, _slots.Count);
        Add(new PlanStep(PlanAction.KeepLength, _offset, size, _slots[index]), size);
        return true;
    }

    bool AddFixed(FieldSchema field, int size)
    {
        if (CommonFieldNames.Tcb.Contains(field.Name))
        {
            Add(new PlanStep(PlanAction.Tcb, _offset, size), size);
        }
        else if (CommonFieldNames.ProcessId.Contains(field.Name))
        {
            Add(new PlanStep(PlanAction.ProcessId, _offset, size), size);
        }
        else if (InTypes.IsInteger(field.InType) && MappingOf(field.Name) is { } mapping)
        {
            PlanAction action = InTypes.IsSigned(field.InType) ? PlanAction.Signed : PlanAction.Unsigned;
            Add(new PlanStep(action, _offset, size, (int)mapping.Field, mapping.Factor), size);
        }
        else
        {
            _offset += size;
        }

        return true;
    }

    FieldMapping? MappingOf(string name)
    {
        foreach (FieldMapping own in _mapping.Fields)
        {
            if (own.Name.Equals(name, StringComparison.Ordinal))
            {
                return own;
            }
        }

        return CommonFieldNames.Numbers.TryGetValue(name, out FieldMapping common) ? common : null;
    }

    bool TryAddVariable(FieldSchema field)
    {
        bool isText = field.Name.Equals(_mapping.TextField, StringComparison.Ordinal);
        switch (field.InType)
        {
            case InType.UnicodeString:
                AddVariable(isText ? PlanAction.TextUtf16 : PlanAction.SkipUtf16);
                return true;
            case InType.AnsiString:
                AddVariable(isText ? PlanAction.TextAnsi : PlanAction.SkipAnsi);
                return true;
            case InType.WbemSid:
                AddVariable(PlanAction.SkipWbemSid);
                return true;
            case InType.Binary when field.Length.Source == FieldLengthSource.Constant:
                _offset += field.Length.Value;
                return true;
            case InType.Binary when field.Length.Source == FieldLengthSource.Field && _slots.TryGetValue(field.Length.Value, out int slot):
                AddVariable(BinaryActionOf(field.Name), slot);
                return true;
            default:
                return false;
        }
    }

    static PlanAction BinaryActionOf(string name) => name switch
    {
        _ when CommonFieldNames.Local.Contains(name) => PlanAction.LocalSocketAddress,
        _ when CommonFieldNames.Remote.Contains(name) => PlanAction.RemoteSocketAddress,
        _ => PlanAction.SkipKeptLength,
    };

    // daddr, saddr, dport, sport are adjacent in every kernel event.
    bool TryAddKernelEndpoints(ref int index)
    {
        const int Members = 4;
        const int Ipv4Size = 12;
        const int Ipv6Size = 36;
        if (index + Members > _schema.Fields.Length || _schema.Fields[index + 3].Name is not "sport")
        {
            return false;
        }

        int size = _schema.Fields[index].InType == InType.Binary ? Ipv6Size : Ipv4Size;
        Add(new PlanStep(PlanAction.KernelEndpoints, _offset, size), size);
        index += Members - 1;
        return true;
    }

    void Add(PlanStep step, int size)
    {
        _steps.Add(step);
        _offset += size;
    }

    void AddVariable(PlanAction action, int slot = 0)
    {
        _steps.Add(new PlanStep(action, _offset, Argument: slot));
        _offset = 0;
    }
}
