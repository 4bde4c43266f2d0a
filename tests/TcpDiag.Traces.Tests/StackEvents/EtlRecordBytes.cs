using System;
using System.Buffers.Binary;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Tests.StackEvents;

/// <summary>Builds single records of an .etl file (docs/formats/etl.md, "Records").</summary>
static class EtlRecordBytes
{
    const int EventHeaderLength = 0x50;
    const int PerfInfoHeaderLength = 0x10;
    const int SystemHeaderLength = 0x20;

    /// <summary>An EVENT record.</summary>
    public static EtlRecord Event(Guid provider, int id, int version, byte[] payload, bool is64Bit = true, uint processId = 4711)
    {
        byte[] bytes = new byte[EventHeaderLength + payload.Length];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, (ushort)bytes.Length);
        bytes[2] = (byte)(is64Bit ? 0x13 : 0x12);
        bytes[3] = 0xC0;
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(0x0C), processId);
        provider.TryWriteBytes(bytes.AsSpan(0x18));
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(0x28), (ushort)id);
        bytes[0x2A] = (byte)version;
        return Finish(bytes, EventHeaderLength, payload);
    }

    /// <summary>A PERFINFO record of a kernel group.</summary>
    public static EtlRecord PerfInfo(byte group, byte opcode, byte version, byte[] payload, bool is64Bit = true)
    {
        byte[] bytes = new byte[PerfInfoHeaderLength + payload.Length];
        WriteKernelHead(bytes, (byte)(is64Bit ? 0x11 : 0x10), group, opcode, version);
        return Finish(bytes, PerfInfoHeaderLength, payload);
    }

    /// <summary>A SYSTEM record of a kernel group.</summary>
    public static EtlRecord System(byte group, byte opcode, byte version, byte[] payload, bool is64Bit = true)
    {
        byte[] bytes = new byte[SystemHeaderLength + payload.Length];
        WriteKernelHead(bytes, (byte)(is64Bit ? 2 : 1), group, opcode, version);
        return Finish(bytes, SystemHeaderLength, payload);
    }

    static void WriteKernelHead(byte[] bytes, byte type, byte group, byte opcode, byte version)
    {
        bytes[0] = version;
        bytes[2] = type;
        bytes[3] = 0xC0;
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(4), (ushort)bytes.Length);
        bytes[6] = opcode;
        bytes[7] = group;
    }

    static EtlRecord Finish(byte[] bytes, int headerLength, byte[] payload)
    {
        payload.CopyTo(bytes, headerLength);
        var record = default(EtlRecord);
        return EtlRecord.TryParse(bytes, ref record) ? record : throw new InvalidOperationException("The record does not parse.");
    }
}
