using System.Collections.Generic;
using System.IO;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>
/// Two processors: 0 logs at 10, 20, 40 and 1 at 12, 30, each into a buffer of its own; that of 20, with the number 3, is lost. The
/// file does not show whose it was: it was filled after 10, when the last buffer of processor 0 before it began (that of 1 began at
/// 12), and before 40, when the first one of processor 0 behind it began (that of 1 began at 30).
/// </summary>
public sealed class EtlLossSpansTests
{
    static readonly EtlFileHeader Header = EtlFixtures.Header with { Processors = 2 };

    [Fact]
    public void Find_AllLostBuffersAreMissingNumbers_TellsWhen() => Assert.Equal([new(At(10), At(40))], Find(Header));

    [Fact]
    public void Find_NothingFollowsOnAProcessor_GoesToTheEnd() => Assert.Equal([new(At(10), new(long.MaxValue))], Find(Header, last: false));

    // Single events leave no mark; another sum means that numbers are missing for another reason, or that buffers are missing at the end.
    [Theory]
    [InlineData(1, 1)]
    [InlineData(0, 0)]
    [InlineData(0, 2)]
    public void Find_SumsDoNotAgree_IsNotKnown(uint events, uint buffers) => Assert.Null(Find(Header, events, buffers));

    [Fact]
    public void Find_NumbersDoNotTell_IsNotKnown()
    {
        Assert.Null(Find(Header with { LogFileMode = EtlLogFileModes.Circular }));
        Assert.Null(Find(Header with { LogFileMode = EtlLogFileModes.Sequential | EtlLogFileModes.NoPerProcessorBuffering }));
        Assert.Null(Find(Header with { Processors = 3 })); // the third may have filled it at any time
    }

    [Theory]
    [InlineData(1000, true)]
    [InlineData(1001, false)]
    public void Find_GapsEverywhere_IsBounded(int gaps, bool isTold)
    {
        using var stream = new MemoryStream();
        var writer = new EtlWriter(stream, Header with { BufferSize = 1024, Processors = 1 });
        for (int i = 0; i < gaps; i++)
        {
            writer.LoseBuffer(0);
            Log(writer, 0, i);
        }

        writer.Complete(Header.StartFileTime + 100, buffersLost: (uint)gaps);
        using EtlFile file = EtlSamples.Open(stream.ToArray());
        Assert.Equal(gaps, file.MissingBuffers);
        Assert.Equal(isTold ? gaps : null, EtlLossSpans.Find(file)?.Count);
    }

    static IReadOnlyList<LossSpan>? Find(EtlFileHeader header, uint events = 0, uint buffers = 1, bool last = true)
    {
        using var stream = new MemoryStream();
        var writer = new EtlWriter(stream, header);
        Log(writer, 0, 10);
        Log(writer, 1, 12);
        writer.Write(Record(20), 0);
        writer.LoseBuffer(0);
        Log(writer, 1, 30);
        if (last)
        {
            Log(writer, 0, 40);
        }

        writer.Complete(header.StartFileTime + 100, events, buffers);
        using EtlFile file = EtlSamples.Open(stream.ToArray());
        return EtlLossSpans.Find(file);
    }

    static void Log(EtlWriter writer, int processor, long ticks)
    {
        writer.Write(Record(ticks), processor);
        writer.Flush();
    }

    static byte[] Record(long ticks) =>
        new EtlRecordBuilder()
            .Build(new EtlRecordHeader { HeaderType = EtlHeaderType.Event, Is64Bit = true, Ticks = Header.StartTicks + ticks }, new byte[8])
            .ToArray();

    static TraceTime At(long ticks) => TraceTime.FromFileTime(Header.StartFileTime) + (ticks * 100);
}
