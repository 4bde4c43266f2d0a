using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>Files written here, read by dissect.etl, an independent parser: the same records with the same fields.</summary>
public sealed class EtlDissectTests : IDisposable
{
    // One line per record: GUID, id or opcode, version, thread, process, bytes of the record.
    const string Script =
        """
        import sys
        from uuid import UUID
        from dissect.etl.etl import ETL
        with open(sys.argv[1], 'rb') as file:
            for event in ETL(file):
                h = event.header
                kind = type(h).__name__
                size, data = h.size, bytes(h.data[:h.size])
                # dissect.etl reads the GUID of an EVENT header in the wrong byte order.
                provider = UUID(bytes_le=h.provider_id.bytes) if kind == 'EventHeader' else h.provider_id
                version = h.version or 0
                if kind in ('EventTraceHeader', 'EventInstanceGUIDHeader'):
                    # Opcode, level and version stand in one u32.
                    number, version = version & 0xFF, version >> 16
                else:
                    number = h.descriptor.id if kind == 'EventHeader' else h.id if kind == 'MessageTraceHeader' else h.opcode
                thread = getattr(h, 'thread_id', getattr(h.header, 'ThreadId', 0xFFFFFFFF))
                process = getattr(h, 'process_id', getattr(h.header, 'ProcessId', 0xFFFFFFFF))
                print(kind, provider, number, version & 0xFF, thread, process, h.time_delta, data.hex())
        """;

    // Classes that dissect.etl has a table for, and header types that it can read.
    static readonly EtlHeaderType[] Families =
    [
        EtlHeaderType.Event, EtlHeaderType.Full, EtlHeaderType.Instance, EtlHeaderType.System, EtlHeaderType.Compact,
        EtlHeaderType.PerfInfo, EtlHeaderType.Message,
    ];

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-").FullName;

    [DissectFact]
    public void Write_AnyRecords_DissectReadsTheSame() => AssertDissectReadsTheSame(compress: false);

    [DissectFact]
    public void Write_AnyRecordsCompressed_DissectReadsTheSame() => AssertDissectReadsTheSame(compress: true);

    [DissectFact]
    public void Generate_Compressed_DissectCountsTheSame()
    {
        string path = Path.Combine(_folder, "generated.etl");
        new EtlTraceGenerator().Write(File.Create(path), 5000, compress: true);
        const string Count = "import sys; from dissect.etl.etl import ETL; print(sum(1 for _ in ETL(open(sys.argv[1], 'rb'))))";
        Assert.Equal("5001", ExternalProgram.Run(Peers.DissectPython!, "-c", Count, path).Lines.Single());
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    void AssertDissectReadsTheSame(bool compress)
    {
        string path = Path.Combine(_folder, "written.etl");
        List<byte[]> records = Records(600);
        File.WriteAllBytes(path, EtlFixtures.Write(EtlFixtures.Header, records, compress));
        string[] expected = Describe(path);
        Assert.Equal(601, expected.Length);
        ProgramResult result = ExternalProgram.TryRun(Peers.DissectPython!, ["-c", Script, path]);
        Assert.Equal(string.Empty, result.Error);
        Assert.Equal(expected, result.Lines);
    }

    static List<byte[]> Records(int count)
    {
        var random = new Random(7);
        var builder = new EtlRecordBuilder();
        var records = new List<byte[]>();
        for (int i = 0; i < count; i++)
        {
            var payload = new byte[16 + random.Next(100)];
            random.NextBytes(payload.AsSpan(0, 16 * random.Next(2)));
            var header = new EtlRecordHeader
            {
                HeaderType = Families[i % Families.Length],
                Is64Bit = random.Next(2) == 0,
                Ticks = EtlFixtures.Header.StartTicks + i,
                ThreadId = (uint)random.Next(),
                ProcessId = (uint)random.Next(),
                Provider = new Guid(random.Next(), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
                Id = (ushort)random.Next(2000),
                Version = (byte)random.Next(4),
                Opcode = (byte)(10 + random.Next(8)),
                Group = 6,
            };
            records.Add(builder.Build(header, payload).ToArray());
        }

        return records;
    }

    static string[] Describe(string path)
    {
        using EtlFile file = EtlSamples.Open(File.ReadAllBytes(path));
        var lines = new List<string>();
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.File);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            string kind = record.HeaderType switch
            {
                EtlHeaderType.Event => "EventHeader",
                EtlHeaderType.System => "SystemHeader",
                EtlHeaderType.Compact => "CompactSystemHeader",
                EtlHeaderType.Full => "EventTraceHeader",
                EtlHeaderType.Instance => "EventInstanceGUIDHeader",
                EtlHeaderType.PerfInfo => "PerfinfoTraceHeader",
                _ => "MessageTraceHeader",
            };
            int number = record.IsClassic ? record.Opcode : record.Id;
            lines.Add(string.Create(
                CultureInfo.InvariantCulture,
                $"{kind} {record.Provider} {number} {record.Version} {record.ThreadId} {record.ProcessId} "
                + $"{record.Ticks} {Convert.ToHexStringLower(record.Bytes)}"));
        }

        return [.. lines];
    }
}
