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
            UpdateInterfaces();
            return false;
        }

        // What is told of interfaces changes with new ones and with blocks; packets are counted here.
        if (_interfaces.Count < reader.Interfaces.Count || record.Kind == TraceRecordKind.Block)
        {
            UpdateInterfaces();
        }

        if (record.Kind == TraceRecordKind.Packet)
        {
            TraceInterface source = _interfaces[record.InterfaceIndex];
            source.Packets = reader.Interfaces[record.InterfaceIndex].Packets;
            record.InterfaceIndex = source.Index;
        }
        else if (record.Kind == TraceRecordKind.Block && record.InterfaceIndex >= 0)
        {
            record.InterfaceIndex = _interfaces[record.InterfaceIndex].Index;
        }

        Pending.CopyFrom(in record);
        return true;
    }

    void UpdateInterfaces()
    {
        while (_interfaces.Count < reader.Interfaces.Count)
        {
            var added = new TraceInterface { Index = merged.Count, LinkType = reader.Interfaces[_interfaces.Count].LinkType };
            merged.Add(added);
            _interfaces.Add(added);
        }

        for (int i = 0; i < _interfaces.Count; i++)
        {
            Update(_interfaces[i], reader.Interfaces[i]);
        }
    }

    static void Update(TraceInterface to, TraceInterface from)
    {
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
