using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// Joins the fragments in which Windows before 8.1 logged a packet: from the event marked as packet start to the one
/// marked as packet end. Processors interleave, so packets are joined per processor and layer. What has no start or no
/// end is counted and left out.
/// </summary>
sealed class NdisFragmentAssembler
{
    // A packet before segmentation offload has at most 256 KiB; more is a damaged trace.
    const int MaxPacketBytes = 1 << 18;
    const int MaxOpenPackets = 1 << 8;

    readonly Dictionary<(int Processor, uint Layer), OpenPacket> _packets = [];
    int _open;

    /// <summary>Packets left out because a part of them is missing.</summary>
    public long Incomplete { get; private set; }

    /// <summary>Packets begun whose end has not come yet.</summary>
    public int Open => _open;

    /// <summary>Takes in a fragment that is not a whole packet.</summary>
    /// <param name="processor">Processor that logged it.</param>
    /// <param name="fragment">The fragment.</param>
    /// <param name="whole">The joined packet, valid until the next call; empty when it is not complete.</param>
    public bool TryComplete(int processor, scoped in EtlPacketEvent fragment, out ReadOnlySpan<byte> whole)
    {
        whole = default;
        if (Find(processor, fragment.Interface.Number) is not { } packet)
        {
            Incomplete += fragment.IsEnd ? 1 : 0;
            return false;
        }

        if (fragment.IsStart)
        {
            Begin(packet);
        }

        if (packet.IsOpen && !packet.TryAppend(fragment.Data))
        {
            Abandon(packet);
            return false;
        }

        return fragment.IsEnd && TryEnd(packet, out whole);
    }

    OpenPacket? Find(int processor, uint layer)
    {
        if (!_packets.TryGetValue((processor, layer), out OpenPacket? packet) && _packets.Count < MaxOpenPackets)
        {
            packet = new OpenPacket();
            _packets.Add((processor, layer), packet);
        }

        return packet;
    }

    void Begin(OpenPacket packet)
    {
        if (packet.IsOpen)
        {
            Abandon(packet);
        }

        packet.Open();
        _open++;
    }

    void Abandon(OpenPacket packet)
    {
        packet.Close();
        _open--;
        Incomplete++;
    }

    bool TryEnd(OpenPacket packet, out ReadOnlySpan<byte> whole)
    {
        whole = packet.Bytes;
        if (!packet.IsOpen)
        {
            Incomplete++;
            return false;
        }

        packet.Close();
        _open--;
        return true;
    }

    sealed class OpenPacket
    {
        byte[] _buffer = [];
        int _length;

        public bool IsOpen { get; private set; }

        public ReadOnlySpan<byte> Bytes => _buffer.AsSpan(0, _length);

        public void Open()
        {
            IsOpen = true;
            _length = 0;
        }

        public void Close() => IsOpen = false;

        public bool TryAppend(ReadOnlySpan<byte> data)
        {
            if (data.Length > MaxPacketBytes - _length)
            {
                return false;
            }

            if (_buffer.Length - _length < data.Length)
            {
                Array.Resize(ref _buffer, Math.Max(2 * _buffer.Length, _length + data.Length));
            }

            data.CopyTo(_buffer.AsSpan(_length));
            _length += data.Length;
            return true;
        }
    }
}
