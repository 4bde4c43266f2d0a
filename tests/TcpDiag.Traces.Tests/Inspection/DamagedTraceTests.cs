using System;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using TcpDiag.Traces.Tests.EtlPackets;
using Xunit;

namespace TcpDiag.Traces.Tests.Inspection;

public sealed class DamagedTraceTests
{
    [SharedTheory]
    [InlineData(WindowsTraces.Netsh)]
    [InlineData(WindowsTraces.PktMon)]
    public void Inspect_CutAtEveryFourKilobytes_KeepsWhatIsThere(string trace)
    {
        byte[] whole = WindowsTraces.ReadTrace(trace);
        long previous = 0;
        for (int length = 4096; length < whole.Length; length += 4096)
        {
            TraceInspection found = EtlInspector.Inspect(new MemoryTraceInput(whole.AsMemory(0, length)));
            Assert.InRange(found.Records, previous, long.MaxValue);
            previous = found.Records;
        }

        Assert.True(previous > 1000);
    }

    [SharedTheory]
    [InlineData(WindowsTraces.Netsh)]
    [InlineData(WindowsTraces.PktMon)]
    public void ReadAndInspect_DamagedBytes_EndInProportion(string trace)
    {
        byte[] whole = WindowsTraces.ReadTrace(trace);
        var mutator = new Mutator(20260);
        for (int round = 0; round < 50; round++)
        {
            byte[] damaged = mutator.Mutate(whole);
            (long inspected, long read) = Count(damaged);

            // Every packet takes at least an event header of 80 bytes.
            Assert.InRange(inspected, 0, damaged.Length / 80);
            Assert.InRange(read, 0, damaged.Length / 80);
        }
    }

    static (long Inspected, long Read) Count(byte[] bytes)
    {
        try
        {
            long inspected = EtlInspector.Inspect(new MemoryTraceInput(bytes)).Packets;
            using EtlTraceReader reader = EtlTraceReader.Open(new MemoryTraceInput(bytes));
            var record = default(TraceRecord);
            long read = 0;
            while (reader.TryRead(ref record))
            {
                read += record.Kind == TraceRecordKind.Packet ? 1 : 0;
            }

            return (inspected, read);
        }
        catch (TraceFormatException)
        {
            return (0, 0);
        }
    }
}
