using System.Collections.Generic;

namespace TcpDiag.Traces;

/// <summary>One trace of a merge: its reader, the record held back, and its interfaces under their new numbers.</summary>
/// <param name="reader">The reader.</param>
/// <param name="position">Its position among the traces.</param>
/// <param name="merged">Interfaces of the merge; those of this trace are added as they are met.</param>
sealed class MergeSource(TraceReader reader, int position, List<TraceInterface> merged)
{
    // Interfaces of the merge, by their number in this trace.
    readonly List<TraceInterface> _interfaces = [];

    /// <summary>The reader.</summary>
    public TraceReader Reader => reader;

    /// <summary>Position among the traces.</summary>
    public int Position => position;

    /// <summary>The record held back.</summary>
    public HeldRecord Pending { get; } = new();

    /// <summary>Reads the next record into <see cref="Pending"/>.</summary>
    /// <returns>False at the end.</returns>
    public bool TryRead()
    {
        var record = default(TraceRecord);
        if (!reader.TryRead(ref record))
        {
            return false;
        }

        if (_interfaces.Count < reader.Interfaces.Count)
        {
            AddInterfaces();
        }

        if (record.Kind != TraceRecordKind.StackEvent && record.InterfaceIndex >= 0)
        {
            record.InterfaceIndex = _interfaces[record.InterfaceIndex].Index;
        }

        Pending.CopyFrom(in record);
        return true;
    }

    /// <summary>Brings what is told of the interfaces up to date.</summary>
    public void UpdateInterfaces()
    {
        AddInterfaces();
        for (int i = 0; i < _interfaces.Count; i++)
        {
            TraceInterface from = reader.Interfaces[i];
            TraceInterface to = _interfaces[i];
            to.Name = from.Name;
            to.Description = from.Description;
            to.SnapLength = from.SnapLength;
            to.MacAddress = from.MacAddress;
            to.SpeedBitsPerSecond = from.SpeedBitsPerSecond;
            to.Packets = from.Packets;
            to.Dropped = from.Dropped;
            for (int address = to.Addresses.Count; address < from.Addresses.Count; address++)
            {
                to.Addresses.Add(from.Addresses[address]);
            }
        }
    }

    void AddInterfaces()
    {
        while (_interfaces.Count < reader.Interfaces.Count)
        {
            var added = new TraceInterface { Index = merged.Count, LinkType = reader.Interfaces[_interfaces.Count].LinkType };
            merged.Add(added);
            _interfaces.Add(added);
        }
    }
}
