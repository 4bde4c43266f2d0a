using System;
using System.Collections.Generic;
using System.Text;
using System.Text.Unicode;
using TcpDiag.Traces.EtlPackets;
using TcpDiag.Traces.Pcapng;

namespace TcpDiag.Traces.Conversion;

/// <summary>
/// What a packet of a Windows trace says in its comment: process and thread in the form of etl2pcapng, why it was dropped,
/// that its length was reconstructed.
/// </summary>
/// <param name="build">Build of Windows, or null.</param>
sealed class PacketComments(int? build)
{
    // Reasons and places are few; the bound is for hostile traces.
    const int MaxDrops = 1 << 12;

    readonly Dictionary<PacketDrop, byte[]> _drops = [];

    /// <summary>Adds the comments of a packet.</summary>
    /// <param name="record">The packet.</param>
    /// <param name="options">Where they go.</param>
    public void Add(scoped in TraceRecord record, ref PcapngOptionWriter options)
    {
        // A packet with options comes from pcapng and brings its own. PktMon's process is that of the deferred call, not the owner's.
        if (!record.PcapngOptions.IsEmpty)
        {
            return;
        }

        if (record.PacketId == 0 && (record.ProcessId != 0 || record.ThreadId != 0))
        {
            AddProcess(record, ref options);
        }

        if (record.IsDropped)
        {
            options.Add(PcapngOption.Comment, Describe(record.Drop));
        }

        if (record.IsLengthReconstructed)
        {
            options.Add(PcapngOption.Comment, "original length reconstructed: cut before segmentation offload"u8);
        }
    }

    static void AddProcess(scoped in TraceRecord record, ref PcapngOptionWriter options)
    {
        const int MaxIdBytes = 64;
        Span<byte> text = stackalloc byte[MaxIdBytes + 512];
        Utf8.TryWrite(text, $"PID={record.ProcessId} TID={record.ThreadId}", out int length);
        if (!record.Note.IsEmpty && record.Note.Length < text.Length - length)
        {
            text[length++] = (byte)' ';
            record.Note.CopyTo(text[length..]);
            length += record.Note.Length;
        }

        options.Add(PcapngOption.Comment, text[..length]);
    }

    byte[] Describe(PacketDrop drop)
    {
        if (!_drops.TryGetValue(drop, out byte[]? text))
        {
            text = [.. DropComment.Prefix, .. Encoding.UTF8.GetBytes(PktMonNames.Describe(drop, build))];
            if (_drops.Count < MaxDrops)
            {
                _drops.Add(drop, text);
            }
        }

        return text;
    }
}
