namespace TcpDiag.Traces.Etl;

/// <summary>Where a buffer of the file is and when it begins; what the index keeps of it.</summary>
/// <param name="Offset">Of its header in the file.</param>
/// <param name="FirstTicks">Time stamp of its first record that has one.</param>
/// <param name="SequenceNumber">From its header.</param>
/// <param name="StoredBytes">Bytes in the file, header included; less than the header says where the file is cut.</param>
/// <param name="FilledBytes">End of the records after decompression, header included.</param>
/// <param name="Processor">The processor of its records.</param>
/// <param name="IsCompressed">Whether the records are compressed.</param>
readonly record struct EtlBufferEntry(
    long Offset, long FirstTicks, long SequenceNumber, int StoredBytes, int FilledBytes, ushort Processor, bool IsCompressed);
