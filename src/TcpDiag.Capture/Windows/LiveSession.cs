using System;
using System.Runtime.Versioning;
using System.Threading;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Session;
using TcpDiag.Capture.Sessions;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Windows;

/// <summary>A real-time session with the TCP stack's events, for triggers and for <c>watch</c>. It writes no file.</summary>
[SupportedOSPlatform("windows")]
sealed class LiveSession : IDisposable
{
    const long NanosecondsPerTick = 100;

    readonly TraceEventSession _session;
    readonly LiveEventDecoder _decoder;
    readonly Thread _thread;

    LiveSession(TraceEventSession session, LiveEventDecoder decoder)
    {
        _session = session;
        _decoder = decoder;
        _thread = new Thread(() => _session.Source.Process()) { IsBackground = true, Name = session.SessionName };
    }

    /// <summary>Begins.</summary>
    /// <returns>The session; ends when disposed.</returns>
    /// <exception cref="CaptureException">Windows refuses it.</exception>
    public static LiveSession Open(int build, IStackEventSink sink)
    {
        StackProvider provider = StackProviders.TcpIp;
        TraceEventSession? session = null;
        try
        {
            session = new TraceEventSession(FormattableString.Invariant($"{EtwSession.LivePrefix}{Environment.ProcessId}")) { StopOnDispose = true };
            var live = new LiveSession(session, new LiveEventDecoder(build, sink));
            session.Source.AllEvents += live.OnEvent;
            session.EnableProvider(provider.Id, (TraceEventLevel)provider.Level, ulong.MaxValue);

            // Logs the connections that are already open.
            session.CaptureState(provider.Id, ulong.MaxValue);
            live._thread.Start();
            return live;
        }
        catch (Exception exception) when (EtwFileSession.IsRefusal(exception))
        {
            session?.Dispose();
            throw new CaptureException($"Windows refuses a real-time session: {(exception.InnerException ?? exception).Message}", exception.HResult);
        }
    }

    public void Dispose()
    {
        // Ends the session, and with it the thread's reading.
        _session.Dispose();
        _thread.Join();
    }

    unsafe void OnEvent(TraceEvent data)
    {
        if (data.ProviderGuid != StackProviders.TcpIp.Id)
        {
            return;
        }

        var header = new EtlRecordHeader
        {
            Is64Bit = data.PointerSize == sizeof(long),
            ProcessId = (uint)data.ProcessID,
            Provider = data.ProviderGuid,
            Id = (ushort)data.ID,
            Version = (byte)data.Version,
        };
        var time = new TraceTime((data.TimeStamp.ToUniversalTime() - DateTime.UnixEpoch).Ticks * NanosecondsPerTick);
        _decoder.Add(header, time, new ReadOnlySpan<byte>((void*)data.DataStart, data.EventDataLength));
    }
}

/// <summary>Events of the TCP stack as a session delivers them, turned into the common vocabulary by the decoder that reads files.</summary>
/// <param name="build">Build number of Windows, which decides the layout of events.</param>
/// <param name="sink">Receives the events.</param>
sealed class LiveEventDecoder(int build, IStackEventSink sink)
{
    // EVENT_HEADER (evntcons.h), behind which the payload begins when there are no extended items.
    const int HeaderBytes = 0x50;

    readonly WindowsStackEventDecoder _decoder = new(build);
    readonly EtlRecordBuilder _builder = new();
    readonly StackEvent _event = new();

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
            // Not in the vocabulary, but a trigger may wait for its id.
            _event.Reset(StackEventKind.None, time, FormattableString.Invariant($"{StackProviders.TcpIp.Name}/{header.Id} v{header.Version}"));
            _event.ProcessId = header.ProcessId;
        }

        sink.Add(_event);
    }
}
