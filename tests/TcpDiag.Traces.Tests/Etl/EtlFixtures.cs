using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>Small .etl files made in memory.</summary>
static class EtlFixtures
{
    internal static EtlFileHeader Header { get; } = new()
    {
        BufferSize = 4096,
        OsMajorVersion = 10,
        Build = 22621,
        Processors = 3,
        TimerResolution = 156250,
        MaximumFileSize = 512,
        LogFileMode = EtlLogFileModes.Sequential,
        CpuSpeedMegahertz = 2500,
        TimeZoneBiasMinutes = -60,
        BootFileTime = 134_000_000_000_000_000,
        PerformanceFrequency = 10_000_000,
        StartFileTime = 134_397_302_977_540_455,
        StartTicks = 5_000_000,
        ClockType = EtlClockType.Qpc,
        SessionName = "NetTrace",
        LogFileName = @"C:\t.etl",
    };

    /// <summary>Records of every family, a tick apart on average, later ones not earlier.</summary>
    internal static List<byte[]> Records(int count, bool is64Bit = true, int seed = 1)
    {
        var random = new Random(seed);
        var builder = new EtlRecordBuilder();
        var records = new List<byte[]>();
        long ticks = Header.StartTicks;
        for (int i = 0; i < count; i++)
        {
            ticks += random.Next(3);
            var header = new EtlRecordHeader
            {
                HeaderType = (EtlHeaderType)(i % 9),
                Is64Bit = is64Bit,
                Ticks = ticks,
                ThreadId = (uint)random.Next(),
                ProcessId = (uint)random.Next(),
                Provider = new Guid(random.Next(3), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
                Id = (ushort)random.Next(2000),
                Version = (byte)random.Next(4),
                Opcode = (byte)random.Next(70),
                Group = (byte)random.Next(16),
                Level = 4,
                Channel = 16,
                Task = 1,
                Keywords = 0x8000_0000_0000_0001,
                ActivityId = new Guid(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
            };
            var payload = new byte[random.Next(4, 200)];
            random.NextBytes(payload.AsSpan(0, payload.Length / 2));
            for (int items = header.HeaderType == EtlHeaderType.Event ? random.Next(3) : 0; items > 0; items--)
            {
                builder.AddExtendedItem(EtlExtendedItemType.StackTrace64, payload.AsSpan(0, payload.Length / 3));
            }

            records.Add(builder.Build(header, payload).ToArray());
        }

        return records;
    }

    /// <summary>A closed file of these records, on processors 0, 1, 2 in turn.</summary>
    internal static byte[] Write(EtlFileHeader header, List<byte[]> records, bool compress)
    {
        using var stream = new MemoryStream();
        using var writer = new EtlWriter(stream, header, compress);
        for (int i = 0; i < records.Count; i++)
        {
            writer.Write(records[i], i % 3);
        }

        writer.Complete(header.StartFileTime + 10_000_000);
        return stream.ToArray();
    }

    /// <summary>All records of a file, header record included, in file order.</summary>
    internal static List<byte[]> ReadAll(EtlFile file, EtlReadOrder order = EtlReadOrder.File)
    {
        var records = new List<byte[]>();
        using EtlRecordCursor cursor = file.Read(order);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            records.Add(record.Bytes.ToArray());
        }

        return records;
    }
}
