using System;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux;

/// <summary>Takes records in the order of their times.</summary>
interface IRecordWriter
{
    /// <summary>Writes one record.</summary>
    /// <param name="time">When it happened.</param>
    /// <param name="record">What it is.</param>
    /// <param name="data">Its bytes; valid during the call only.</param>
    void Write(TraceTime time, PendingRecord record, ReadOnlySpan<byte> data);
}
