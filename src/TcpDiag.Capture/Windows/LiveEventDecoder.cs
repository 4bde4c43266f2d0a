using System;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Windows;

/// <summary>Events of the TCP stack as a session delivers them, turned into the common vocabulary by the decoder that reads files.</summary>
/// <param name="build">Build number of Windows, which decides the layout of events.</param>
/// <param name="sink">Takes the events.</param>
sealed class LiveEventDecoder(int build, IStackEventSink sink)
{
    // EVENT_HEADER (evntcons.h), behind which the payload begins when there are no extended items.
    const int HeaderBytes = 0x50;

    readonly WindowsStackEventDecoder _decoder = new(build);
    readonly EtlRecordBuilder _builder = new();
    readonly StackEvent _event = new();

    /// <summary>Takes one event.</summary>
    /// <param name="header">Its header, without time.</param>
    /// <param name="time">When it was logged.</param>
    /// <param name="payload">Its payload.</param>
    public void Add(in EtlRecordHeader header, TraceTime time, ReadOnlySpan<byte> payload)
    {
        var record = new EtlRecord
        {
            Bytes = _builder.Build(header, payload),
            PayloadOffset = HeaderBytes,
            HeaderType = EtlHeaderType.Event,
            Is64Bit = header.Is64Bit,
        };
        if (!_decoder.TryDecode(record, time, _event))
        {
            // Not in the vocabulary, but somebody may wait for its id.
            _event.Reset(StackEventKind.None, time, FormattableString.Invariant($"{StackProviders.TcpIp.Name}/{header.Id} v{header.Version}"));
            _event.ProcessId = header.ProcessId;
        }

        sink.Add(_event);
    }
}
