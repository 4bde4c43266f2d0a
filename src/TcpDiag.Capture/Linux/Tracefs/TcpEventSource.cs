using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Capture.Linux.Owners;
using TcpDiag.Platform.Linux;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>
/// The kernel's TCP tracepoints, recorded in a tracefs instance of our own and read a page at a time per processor. Tracepoints
/// know no namespaces: events of all connections of the machine arrive here, and those not wanted are dropped, by the
/// kernel where it can compare ports, else by their addresses.
/// </summary>
sealed class TcpEventSource : IDisposable
{
    const int MinBufferKilobytes = 512;
    const int MaxBufferKilobytes = 8192;
    const int BytesPerKilobyte = 1024;
    const int DefaultPageBytes = 4096;

    // Event numbers are 16 bits (trace_entry.type).
    const int EventIds = 1 << 16;

    readonly TracefsInstance _instance;
    readonly PageLayout _layout;
    readonly ConnectionSelector _selector;
    readonly SocketCallers? _callers;
    readonly TracepointDecoder?[] _decoders = new TracepointDecoder?[EventIds];
    readonly List<TracePipe> _pipes = [];
    readonly IReadOnlyList<int> _processors;
    readonly SocketHandles _handles = SocketHandles.Create();
    readonly StackEvent _event = new();
    readonly byte[] _page;

    TcpEventSource(TracefsInstance instance, PageLayout layout, int pageBytes, ConnectionSelector selector, SocketCallers? callers)
    {
        _instance = instance;
        _layout = layout;
        _selector = selector;
        _callers = callers;
        _page = new byte[pageBytes];
        _processors = instance.Processors;
    }

    public IReadOnlyList<string> Missing { get; private set; } = [];

    /// <summary>Events the kernel lost because they were not read in time.</summary>
    public long Lost { get; private set; }

    /// <summary>Starts recording.</summary>
    /// <param name="tracepoints">What to record.</param>
    /// <param name="selector">Which connections.</param>
    /// <param name="bufferBytes">Memory for all processors together.</param>
    /// <param name="number">Distinguishes several recordings of one process.</param>
    /// <param name="owners">Receives the owners of connections, known from the calls that open and close them; null for none.</param>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public static TcpEventSource Open(IReadOnlyList<Tracepoint> tracepoints, ConnectionSelector selector, long bufferBytes, int number, OwnerTable? owners)
    {
        TracefsMount mount = TracefsMount.Open();
        TracefsInstance? instance = null;
        try
        {
            instance = TracefsInstance.Create(mount, number);
            if (!PageLayout.TryParse(mount.TryReadText("events/header_page") ?? string.Empty, out PageLayout layout))
            {
                throw new CaptureException("events/header_page of tracefs does not say where a page keeps its length. --no-events records packets only.");
            }

            SocketCallers? callers = owners is null ? null : new(owners, new(() => mount.TryReadText("saved_cmdlines")), SocketCallers.ReadsThreads);
            var source = new TcpEventSource(instance, layout, PageBytes(mount), selector, callers);
            source.Start(mount, tracepoints, bufferBytes);
            return source;
        }
        catch
        {
            instance?.Dispose();
            mount.Dispose();
            throw;
        }
    }

    /// <summary>Reads everything that waits.</summary>
    /// <param name="clock">Converts the trace clock.</param>
    /// <param name="sink">Receives each matching event.</param>
    public void Drain(ClockPair clock, IStackEventSink sink)
    {
        foreach (TracePipe pipe in _pipes)
        {
            int length;
            while ((length = pipe.Read(_page)) > 0)
            {
                ReadPage(_page.AsSpan(0, length), clock, sink);
            }
        }
    }

    /// <summary>Adds losses that no page has reported, by the kernel's own counters: those at the very end.</summary>
    /// <param name="clock">Converts the trace clock.</param>
    /// <param name="sink">Receives the event.</param>
    public void ReportLost(ClockPair clock, IStackEventSink sink)
    {
        long unreported = _processors.Sum(_instance.ReadLost) - Lost;
        if (unreported > 0)
        {
            AddLost(unreported, clock.ToRealtime(Libc.Now(Libc.ClockMonotonic)), sink);
        }
    }

    /// <summary>Stops recording; what is waiting can still be drained.</summary>
    public void Stop() => _instance.Write("tracing_on", "0");

    public void Dispose()
    {
        foreach (TracePipe pipe in _pipes)
        {
            pipe.Dispose();
        }

        _instance.Dispose();
    }

    /// <summary>
    /// A filter that the kernel applies to a tracepoint's events. It may let through more than the match, never less: an event belongs to a
    /// connection, so a port may be at either end, and only ports are compared.
    /// </summary>
    /// <returns>The filter's text; null when the kernel cannot filter these events.</returns>
    internal static string? KernelFilter(EventFormat format, MatchRule match)
    {
        bool canCompare = format.Find("sport") is not null && format.Find("dport") is not null;
        return canCompare ? Compare(match) : null;
    }

    static string? Compare(MatchRule match) => match switch
    {
        MatchPort port => $"{Comparison("sport", port)} || {Comparison("dport", port)}",
        MatchOr or => Compare(or.Left) is { } left && Compare(or.Right) is { } right ? $"{left} || {right}" : null,
        MatchAnd and => (Compare(and.Left), Compare(and.Right)) switch
        {
            ({ } left, { } right) => $"({left}) && ({right})",
            var (left, right) => left ?? right,
        },
        _ => null,
    };

    static string Comparison(string field, MatchPort port) => port.First == port.Last
        ? FormattableString.Invariant($"{field} == {port.First}")
        : FormattableString.Invariant($"({field} >= {port.First} && {field} <= {port.Last})");

    void ReadPage(ReadOnlySpan<byte> bytes, ClockPair clock, IStackEventSink sink)
    {
        var page = new RingPageReader(bytes, _layout);
        if (page.Missed > 0)
        {
            AddLost(page.Missed, clock.ToRealtime(page.TimeNanos), sink);
        }

        while (page.TryRead(out ReadOnlySpan<byte> data))
        {
            if (data.Length < sizeof(ushort) || _decoders[BitConverter.ToUInt16(data)] is not { } decoder
                || !decoder.TryReadEnds(data, out Endpoint local, out Endpoint remote) || !_selector.Includes(local, remote))
            {
                continue;
            }

            decoder.Decode(data, clock.ToRealtime(page.TimeNanos), _handles, _event);
            _event.Local = local;
            _event.Remote = remote;
            _callers?.OnEvent(_event, decoder.ReadCaller(data));
            sink.Add(_event);
        }
    }

    void AddLost(long count, TraceTime time, IStackEventSink sink)
    {
        Lost += count;
        _event.Reset(StackEventKind.EventsLost, time, "tracefs");
        _event.Set(StackField.LostEvents, count);
        sink.Add(_event);
    }

    void Start(TracefsMount mount, IReadOnlyList<Tracepoint> tracepoints, long bufferBytes)
    {
        long perProcessor = bufferBytes / BytesPerKilobyte / Math.Max(_processors.Count, 1);
        _instance.Write("trace_clock", "mono");
        _instance.Write("buffer_size_kb", Math.Clamp(perProcessor, MinBufferKilobytes, MaxBufferKilobytes).ToString(CultureInfo.InvariantCulture));
        foreach (int processor in _processors)
        {
            _pipes.Add(_instance.OpenPipe(processor));
        }

        var missing = new List<string>();
        foreach (Tracepoint tracepoint in tracepoints)
        {
            string folder = $"events/{tracepoint.Group}/{tracepoint.Name}";
            if (EventFormat.TryParse(mount.TryReadText($"{folder}/format") ?? string.Empty, out EventFormat? format) && format is not null)
            {
                Enable(tracepoint, format, folder);
            }
            else
            {
                missing.Add(tracepoint.Name);
            }
        }

        Missing = missing;
    }

    void Enable(Tracepoint tracepoint, EventFormat format, string folder)
    {
        _decoders[format.Id] = new(tracepoint, format);
        if (KernelFilter(format, _selector.Match) is { } filter)
        {
            _instance.Write($"{folder}/filter", filter);
        }

        _instance.Write($"{folder}/enable", "1");
    }

    // Since Linux 6.8 pages can be larger than the processor's; this file then has their size.
    static int PageBytes(TracefsMount mount)
    {
        string text = mount.TryReadText("buffer_subbuf_size_kb") ?? string.Empty;
        return int.TryParse(text, NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture, out int kilobytes)
            ? kilobytes * BytesPerKilobyte
            : Math.Max(Environment.SystemPageSize, DefaultPageBytes);
    }
}

/// <summary>
/// Converts the trace clock (monotonic) to the packets' clock (realtime). Pairing reads both clocks together several
/// times and keeps the tightest reading; it is repeated because the realtime clock may be slewed or set.
/// </summary>
sealed class ClockPair
{
    const int Attempts = 8;

    long _offsetNanos;

    /// <summary>Reads both clocks.</summary>
    public ClockPair() => Pair();

    /// <summary>Uncertainty of the latest pairing: half the time the reading took, nanoseconds.</summary>
    public long UncertaintyNanos { get; private set; }

    /// <summary>Realtime minus monotonic, nanoseconds.</summary>
    public long OffsetNanos => _offsetNanos;

    /// <summary>Reads both clocks anew.</summary>
    public void Pair()
    {
        long tightest = long.MaxValue;
        for (int i = 0; i < Attempts; i++)
        {
            long before = Libc.Now(Libc.ClockMonotonic);
            long realtime = Libc.Now(Libc.ClockRealtime);
            long after = Libc.Now(Libc.ClockMonotonic);
            if (after - before < tightest)
            {
                tightest = after - before;
                _offsetNanos = realtime - before - (tightest / 2);
            }
        }

        UncertaintyNanos = (tightest + 1) / 2;
    }

    /// <summary>Converts a value of the trace clock.</summary>
    /// <param name="monotonic">The value, nanoseconds.</param>
    public TraceTime ToRealtime(long monotonic) => new(monotonic + _offsetNanos);
}
