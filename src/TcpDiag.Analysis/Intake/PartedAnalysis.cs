using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// Analyses a trace of more connections than there is memory for at once. It is read once for each part of them, twice over: the first time to learn what is
/// to be known of all of them, their order and what they say of each other; the second time for the results. They are those of an analysis at once, but for one
/// case: that the recording clock was set is learnt from the connections of the first part.
/// </summary>
public sealed class PartedAnalysis : IDisposable
{
    readonly Func<TraceReader> _open;
    readonly AnalysisOptions _options;
    readonly ConnectionLimit _limit;
    readonly Action<Connection>? _seen;
    readonly List<ConnectionPart> _parts = [];
    readonly ConnectionOrder _order = new();
    readonly TraceContext _context = new();
    ClockAnswers _clock = new();
    int _connections; // of the part that was read last
    bool _isDisposed;

    PartedAnalysis(Func<TraceReader> open, AnalysisOptions options, ConnectionLimit limit, Action<Connection>? seen)
    {
        (_open, _options, _limit, _seen) = (open, options with { Connections = null, Timelines = null }, limit, seen);
    }

    /// <summary>How many parts there are.</summary>
    public int Parts => _parts.Count;

    /// <summary>How many connections there are.</summary>
    public int Count => _order.Count;

    /// <summary>What is known of the trace; its connections are left out, and of its findings there are those that concern all of it.</summary>
    public TraceAnalysis Trace { get; private set; } = null!;

    /// <summary>The reader, at the end of the trace.</summary>
    public TraceReader Reader { get; private set; } = null!;

    /// <summary>Reads a trace for the first time, in as few parts as the limit allows.</summary>
    /// <param name="open">Opens the trace, each time at its beginning.</param>
    /// <param name="options">What is given beside it; of connections that are not asked for nothing is left out, and no charts are recorded.</param>
    /// <param name="limit">How many connections a part may have.</param>
    /// <param name="seen">Told of each connection, in no order.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>What is known of all connections.</returns>
    /// <exception cref="TraceFormatException">The trace cannot be read at all.</exception>
    /// <exception cref="OperationCanceledException">The work was ended.</exception>
    public static PartedAnalysis Begin(
        Func<TraceReader> open, AnalysisOptions options, ConnectionLimit limit, Action<Connection>? seen = null, CancellationToken cancellation = default)
    {
        var analysis = new PartedAnalysis(open, options, limit, seen);
        try
        {
            analysis.Survey(cancellation);
            return analysis;
        }
        catch
        {
            analysis.Dispose();
            throw;
        }
    }

    /// <summary>Reads the trace again, for one of its parts. What was returned of the part before is to be forgotten by then.</summary>
    /// <param name="part">Which, from 0.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>The connections of the part in the order of their numbers, and what was found about them.</returns>
    /// <exception cref="IOException">The trace has been changed meanwhile, or a temporary file cannot be read.</exception>
    /// <exception cref="TraceFormatException">The trace has been changed meanwhile, and cannot be read any more.</exception>
    /// <exception cref="OperationCanceledException">The work was ended.</exception>
    public AnalysisPart Read(int part, CancellationToken cancellation = default)
    {
        SpentMemory.GiveBack(_connections);
        using TraceReader reader = _open();
        List<Connection> connections = ConnectionsOf(Analyzed(reader, _parts[part], ConnectionLimit.None, cancellation)!, reader);
        _connections = connections.Count;
        if (!_order.TryNumber(part, connections))
        {
            throw new IOException($"{reader.Path}: it was changed while it was read");
        }

        List<Finding> findings = _context.Judge(connections, _parts[part].HasWholePairs);
        FindingFigures[] figures = [.. findings.ConvertAll(FindingFigures.Of)];
        FindingOrder.Sort(figures);
        return new(connections, figures);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            Reader?.Dispose();
            _order.Dispose();
        }
    }

    // A part that has too many connections is halved. So is, without a look at it, one that must have: parts of one size are alike, unless few hosts have many.
    void Survey(CancellationToken cancellation)
    {
        ulong seed = unchecked((ulong)Random.Shared.NextInt64(long.MinValue, long.MaxValue));
        var waiting = new Stack<ConnectionPart>([new(1, 1, seed), new(0, 1, seed)]);
        (ConnectionPart last, int counted) = (default, 0);
        while (waiting.TryPop(out ConnectionPart part))
        {
            int before = Count;
            bool isTooLarge = part.IsDivisible && double.ScaleB(counted, last.Bits - part.Bits) > _limit.Connections;
            if (!isTooLarge && TryLook(part, waiting.Count == 0, cancellation))
            {
                (last, counted) = (part, Count - before);
            }
            else
            {
                waiting.Push(part.Second);
                waiting.Push(part.First);
            }
        }
    }

    // False where the part has too many connections.
    bool TryLook(in ConnectionPart part, bool isLast, CancellationToken cancellation)
    {
        SpentMemory.GiveBack(_connections);
        Reader?.Dispose();
        Reader = _open();
        ConnectionLimit limit = part.IsDivisible ? _limit : _limit with { Connections = int.MaxValue };
        if (Analyzed(Reader, part, limit, cancellation) is not { } analyzer)
        {
            _clock = _parts.Count == 0 ? new() : _clock;
            _connections = limit.Connections; // which were given up
            return false;
        }

        _clock.Complete();
        _parts.Add(part);
        Add(ConnectionsOf(analyzer, Reader), analyzer, part);
        if (isLast)
        {
            _order.Complete(analyzer);
            Trace = analyzer.Sum(Reader, [], [.. _context.Judge(analyzer.CompletenessOf(Reader))]);
        }

        return true;
    }

    void Add(List<Connection> connections, TraceAnalyzer analyzer, in ConnectionPart part)
    {
        _order.Add(analyzer, connections);
        _connections = connections.Count;
        foreach (Connection connection in connections)
        {
            _context.Add(connection, part.HasWholePairs);
            _seen?.Invoke(connection);
        }
    }

    TraceAnalyzer? Analyzed(TraceReader reader, in ConnectionPart part, ConnectionLimit limit, CancellationToken cancellation) =>
        TraceAnalyzer.Read(reader, _options with { Part = part, ClockAnswers = _clock }, limit, cancellation);

    static List<Connection> ConnectionsOf(TraceAnalyzer analyzer, TraceReader reader)
    {
        List<Connection> connections = analyzer.Conclude(reader, out _);
        analyzer.Names.NameServers(connections);
        return connections;
    }
}

/// <summary>A part of the connections of a trace.</summary>
/// <param name="Connections">The connections.</param>
/// <param name="Findings">What was found about them, in its order (<see cref="FindingOrder"/>).</param>
public sealed record AnalysisPart(IReadOnlyList<Connection> Connections, ReadOnlyMemory<FindingFigures> Findings);
