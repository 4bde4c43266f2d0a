using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.EtlPackets;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces;

/// <summary>
/// An .etl trace as packets and stack events in time order. It is read twice: once in file order for its capture points
/// and schemas, because PktMon and merging write them at the end, and once by time.
/// </summary>
public sealed class EtlTraceReader : TraceReader
{
    readonly EtlFile _file;
    readonly TraceOpenOptions _options;
    readonly EtlCaptureScan _scan = new();
    readonly WindowsStackEventDecoder _events;
    readonly StackEvent _event = new();
    readonly EtlCaptureMap _map;
    readonly EtlPacketDecoder _packets;
    readonly OffloadLengths _offloads = new();
    readonly OffloadLookAhead _lookAhead = new();
    readonly EtlRecordCursor _cursor;
    readonly List<TraceProblem> _ownProblems = [];
    long _recordsRead;
    long _timesBeyond;
    bool _isAtEnd;

    EtlTraceReader(EtlFile file, TraceOpenOptions options)
    {
        _file = file;
        _options = options;
        InFileSchemas inFile = Scan();
        _map = _scan.ToMap();
        _packets = new EtlPacketDecoder(_map, file.Clock);
        _cursor = file.Read(EtlReadOrder.Time);
        System = EtlSystemFacts.From(file);
        _events = new WindowsStackEventDecoder(System.WindowsBuild, inFile);
    }

    /// <inheritdoc/>
    public override string Path => _file.Path;

    /// <inheritdoc/>
    public override TraceFormat Format => TraceFormat.Etl;

    /// <inheritdoc/>
    public override IReadOnlyList<TraceInterface> Interfaces => _map.Interfaces;

    /// <inheritdoc/>
    public override SystemFacts System { get; }

    /// <inheritdoc/>
    public override IReadOnlyList<TraceProblem> Problems => _ownProblems.Count == 0 ? _file.Problems : [.. _file.Problems, .. _ownProblems];

    /// <inheritdoc/>
    public override long RecordsRead => _recordsRead;

    /// <summary>Opens a trace and finds its capture points.</summary>
    /// <param name="input">A positioned input; closed with the reader, and when this throws.</param>
    /// <param name="options">What to read; everything but filter layers when null.</param>
    /// <returns>The reader, before the first record.</returns>
    /// <exception cref="TraceFormatException">The file does not begin with a log file header.</exception>
    public static EtlTraceReader Open(TraceInput input, TraceOpenOptions? options = null)
    {
        EtlFile file = EtlFile.Open(input);
        try
        {
            return new EtlTraceReader(file, options ?? TraceOpenOptions.Default);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public override bool TryRead(ref TraceRecord record)
    {
        while (!_lookAhead.TryTake(ref record))
        {
            if (!TryReadNext(ref record, out bool isLengthMissing))
            {
                if (_lookAhead.IsEmpty)
                {
                    ReportAtEnd();
                    return false;
                }

                _lookAhead.End();
            }
            else if (!_lookAhead.Hold(record, isLengthMissing))
            {
                return true;
            }
        }

        return true;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _cursor.Dispose();
            _file.Dispose();
        }
    }

    InFileSchemas Scan()
    {
        var schemas = new InFileSchemaScan();
        using EtlRecordCursor cursor = _file.Read(EtlReadOrder.File);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            _scan.Add(record);
            schemas.Add(record);
        }

        return schemas.Schemas;
    }

    bool TryReadNext(ref TraceRecord record, out bool isLengthMissing)
    {
        var etl = default(EtlRecord);
        while (_cursor.TryRead(ref etl))
        {
            _recordsRead++;
            if (TryReadPacket(etl, ref record, out isLengthMissing) || TryReadEvent(etl, ref record))
            {
                _timesBeyond += record.Time.IsBeyond ? 1 : 0;
                return true;
            }
        }

        isLengthMissing = false;
        return false;
    }

    bool TryReadEvent(in EtlRecord etl, ref TraceRecord record)
    {
        _offloads.OnRecord(etl);
        if (!_options.DecodeStackEvents)
        {
            return false;
        }

        TraceTime time = _file.Clock.ToTime(etl.Ticks);
        StackEvent target = _lookAhead.IsEmpty ? _event : _lookAhead.FreeEvent;
        if (!_events.TryDecode(etl, time, target))
        {
            return false;
        }

        record.Kind = TraceRecordKind.StackEvent;
        record.Time = time;
        record.Event = target;
        record.Data = default;
        record.FileOffset = etl.BufferOffset;
        return true;
    }

    bool TryReadPacket(in EtlRecord etl, ref TraceRecord record, out bool isLengthMissing)
    {
        isLengthMissing = false;
        if (!_packets.TryDecode(etl, ref record))
        {
            return false;
        }

        if (record.IsRepeat && record.PacketId == 0 && !_options.AllLayers)
        {
            return false;
        }

        if (_packets.IsLengthMissing)
        {
            isLengthMissing = !_offloads.TryFind(record.Data, record.LinkType, out int length);
            record.IsLengthReconstructed = !isLengthMissing;
            record.OriginalLength = isLengthMissing ? record.OriginalLength : length;
        }

        _map.Interfaces[record.InterfaceIndex].Packets++;
        return true;
    }

    void ReportAtEnd()
    {
        if (_isAtEnd)
        {
            return;
        }

        _isAtEnd = true;
        Report(_packets.IncompletePackets, "packets left out: the trace does not hold all of their fragments");
        Report(_scan.DamagedEvents, "packet events left out: their payload is shorter than it says");
        Report(_timesBeyond, ProblemLog.TimesBeyond);
        Report(_scan.NotFrames, "PktMon packets left out: logged from above the IP header, for which pcapng has no type");
    }

    void Report(long count, string what)
    {
        if (count > 0)
        {
            _ownProblems.Add(new TraceProblem(0, string.Create(CultureInfo.InvariantCulture, $"{count} {what}")));
        }
    }
}

/// <summary>What the header of an .etl file says, as facts of a trace.</summary>
static class EtlSystemFacts
{
    /// <summary>Translates the header.</summary>
    /// <returns>The facts; what the session did not fill in is null.</returns>
    public static SystemFacts From(EtlFile file)
    {
        EtlFileHeader header = file.Header;
        return new SystemFacts
        {
            WindowsBuild = KnownNumber(header.Build),
            OperatingSystem = header.Build == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"Windows build {header.Build}"),
            Simulation = SystemFacts.SimulationIn(header.SessionName),
            Processors = KnownNumber(header.Processors),
            PointerSize = header.PointerSize is 4 or 8 ? (int)header.PointerSize : null,
            Clock = Describe(file.Clock),
            Started = header.StartFileTime == 0 ? null : TraceTime.FromFileTime(header.StartFileTime),
            Stopped = header.IsClosed ? TraceTime.FromFileTime(header.EndFileTime) : null,
            LostEvents = header.EventsLost,
            LostBuffers = header.BuffersLost,
            LossSpans = EtlLossSpans.Find(file),
        };
    }

    static int? KnownNumber(uint value) => value is 0 or > int.MaxValue ? null : (int)value;

    static string Describe(EtlClock clock) => clock.Type switch
    {
        EtlClockType.SystemTime => "system time, 100 ns",
        EtlClockType.CpuCycles => string.Create(CultureInfo.InvariantCulture, $"CPU cycles at {clock.Frequency} Hz"),
        _ => string.Create(CultureInfo.InvariantCulture, $"QPC at {clock.Frequency} Hz"),
    };
}
