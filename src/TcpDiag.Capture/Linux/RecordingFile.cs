using System;
using System.IO;
using TcpDiag.Traces;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux;

/// <summary>The pcapng file of a recording: packets, and stack events as journal entries.</summary>
sealed class RecordingFile : IRecordWriter, IDisposable
{
    readonly PcapngWriter _writer;

    /// <summary>Begins the file.</summary>
    /// <param name="output">Where it goes; closed with the file.</param>
    /// <param name="settings">What is recorded.</param>
    /// <param name="comment">Facts about the machine.</param>
    public RecordingFile(Stream output, CaptureSettings settings, string comment) => _writer = new(output, new()
    {
        OperatingSystem = SystemReport.OperatingSystem(),
        Application = "tcpdiag",
        Comment = comment,
        SnapLength = settings.SnapLength,
    });

    /// <summary>Bytes written so far.</summary>
    public long Length => _writer.Length;

    /// <summary>Describes an interface.</summary>
    /// <param name="description">What is known of it.</param>
    /// <returns>Its number in the file.</returns>
    public int AddInterface(TraceInterface description) => _writer.WriteInterface(description);

    /// <inheritdoc/>
    public void Write(TraceTime time, PendingRecord record, ReadOnlySpan<byte> data)
    {
        if (record.IsEvent)
        {
            _writer.WriteJournalEntry(data);
            return;
        }

        var packet = new TraceRecord
        {
            Kind = TraceRecordKind.Packet,
            Time = time,
            Data = data,
            InterfaceIndex = record.InterfaceId,
            OriginalLength = record.OriginalLength,
            Direction = record.Direction,
        };
        _writer.WritePacket(in packet);
    }

    /// <summary>Writes what was counted at an interface.</summary>
    /// <param name="id">Its number in the file.</param>
    /// <param name="time">When it was counted.</param>
    /// <param name="received">Packets taken in and lost.</param>
    /// <param name="dropped">Packets lost.</param>
    public void WriteStatistics(int id, TraceTime time, long received, long dropped) =>
        _writer.WriteInterfaceStatistics(id, time, received, dropped);

    /// <inheritdoc/>
    public void Dispose() => _writer.Dispose();
}
