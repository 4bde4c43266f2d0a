using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using TcpDiag.Capture.Windows;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.StackEvents;
using Xunit;

namespace TcpDiag.Capture.Tests.Windows;

/// <summary>Events as a real-time session delivers them: header fields and a payload, no file.</summary>
public sealed class LiveEventDecoderTests
{
    // TcpDataTransferReceive v0: Tcb, NumBytes, SeqNo.
    [Fact]
    public void Add_EventOfTheVocabulary_IsDecodedAsFromAFile()
    {
        byte[] payload = new byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(payload, 0xFFFF8000_12345678);
        BinaryPrimitives.WriteUInt32LittleEndian(payload.AsSpan(8), 1448);
        BinaryPrimitives.WriteUInt32LittleEndian(payload.AsSpan(12), 99);
        var sink = new Noting();

        new LiveEventDecoder(26100, sink).Add(Header(1074), new(5), payload);

        Assert.Equal([(StackEventKind.SegmentReceived, "Microsoft-Windows-TCPIP/1074 v0", 0xFFFF8000_12345678, 1448L, 5L)], sink.Events);
    }

    [Fact]
    public void Add_AnyOtherEvent_KeepsItsId()
    {
        var sink = new Noting();

        new LiveEventDecoder(26100, sink).Add(Header(1999), new(5), [1, 2, 3]);

        Assert.Equal([(StackEventKind.None, "Microsoft-Windows-TCPIP/1999 v0", 0UL, 0L, 5L)], sink.Events);
    }

    [Fact]
    public void Add_PayloadThatIsTooShort_IsAnEventWithoutFields()
    {
        var sink = new Noting();

        new LiveEventDecoder(26100, sink).Add(Header(1074), new(5), []);

        Assert.Single(sink.Events);
    }

    static EtlRecordHeader Header(ushort id) => new() { Provider = StackProviders.TcpIp.Id, Id = id };

    sealed class Noting : IStackEventSink
    {
        public List<(StackEventKind, string, ulong, long, long)> Events { get; } = [];

        public void Add(StackEvent stackEvent)
        {
            _ = stackEvent.TryGet(StackField.Bytes, out long bytes);
            Events.Add((stackEvent.Kind, stackEvent.Source, stackEvent.Tcb, bytes, stackEvent.Time.Nanoseconds));
        }
    }
}
