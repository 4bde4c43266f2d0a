using System;
using System.Collections.Generic;
using TcpDiag.Traces.EtlPackets;
using TcpDiag.Traces.Redaction.Packets;

namespace TcpDiag.Traces.Redaction.Events;

/// <summary>
/// Redacts packets that come in several events (before Windows 8.1): each piece as a part of what has come so far, since a header may stand in any of them. Pieces of a packet whose
/// beginning is not there become zero.
/// </summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class FragmentRedactor(Pseudonyms names)
{
    // Packets begun and not ended, and bytes of one: bounds against made-up traces.
    const int MostOpen = 256;
    const int LongestPacket = 1 << 18;

    readonly FrameRedactor _frames = new(names);
    readonly Dictionary<(int Processor, EtlInterfaceKey Interface), byte[]> _open = [];

    /// <summary>Redacts the bytes of an event.</summary>
    /// <param name="processor">The processor that logged it.</param>
    /// <param name="packet">The event.</param>
    /// <param name="data">A copy of its bytes, changed.</param>
    public void Redact(int processor, in EtlPacketEvent packet, Span<byte> data)
    {
        (int, EtlInterfaceKey) key = (processor, packet.Interface);
        if (packet is { IsStart: true, IsEnd: true })
        {
            _frames.Redact(data, packet.Interface.LinkType, Math.Max(packet.OriginalLength, data.Length));
            return;
        }

        byte[] before = [];
        bool isKnown = packet.IsStart || _open.Remove(key, out before!);
        if (!isKnown || before.Length + data.Length > LongestPacket)
        {
            names.Tally.Add(RedactionKind.PayloadBytes, data.Length);
            data.Clear();
            return;
        }

        byte[] whole = [.. before, .. data];
        if (!packet.IsEnd && _open.Count < MostOpen)
        {
            _open[key] = [.. whole];
        }

        _frames.Redact(whole, packet.Interface.LinkType, whole.Length);
        whole.AsSpan(before.Length).CopyTo(data);
    }
}
