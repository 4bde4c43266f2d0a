using System;
using System.Collections.Generic;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Watching;

/// <summary>
/// Follows the connections of a machine from reading to reading: rates, what limited each sender, and how much time that cost. Memory grows with the
/// number of open connections.
/// </summary>
public sealed class ConnectionMonitor : IDisposable
{
    // Enough for a busy server; connections beyond it are counted.
    const int MaxConnections = 1 << 16;

    readonly IConnectionSource _source;
    readonly MatchRule _match;
    readonly Dictionary<(Endpoint Local, Endpoint Remote), WatchedConnection> _connections = [];
    readonly List<WatchedConnection> _table = [];
    long _lastUs;
    long _interval;
    long _intervalUs;

    internal ConnectionMonitor(IConnectionSource source, MatchRule match)
    {
        _source = source;
        _match = match;
    }

    /// <summary>Whether stack events show how long loss recovery took; else the state at each reading counts for the whole interval.</summary>
    public bool HasEvents => _source.HasEvents;

    /// <summary>Connections left out because there were too many.</summary>
    public long LeftOut { get; private set; }

    /// <summary>Length of the latest interval; 0 for the first reading, and where no event can have come since the one before.</summary>
    public TimeSpan Interval => TimeSpan.FromMicroseconds(_intervalUs);

    /// <summary>Begins to watch the connections of this machine, or of the network namespace it is called in.</summary>
    /// <param name="match">Which connections; a rule about processes too.</param>
    /// <returns>The watch.</returns>
    /// <exception cref="CaptureException">The system does not list its connections.</exception>
    public static ConnectionMonitor Open(MatchRule match)
    {
        if (OperatingSystem.IsWindows())
        {
            return new(EventConnectionSource.Open(new Windows.WindowsMachine()), match);
        }

        return OperatingSystem.IsLinux()
            ? new(Linux.Watching.SocketReader.Open(match), match)
            : throw new CaptureException("connections can be watched on Windows and Linux only.");
    }

    /// <summary>Reads all connections.</summary>
    /// <returns>Those that match: the most time lost first, then the busiest. Valid until the next call.</returns>
    /// <exception cref="CaptureException">The system no longer lists its connections.</exception>
    public IReadOnlyList<WatchedConnection> Read()
    {
        _interval++;
        LeftOut = 0;
        long now = _source.Read(Take, begun => _intervalUs = _lastUs == 0 ? 0 : begun - _lastUs);
        LeftOut += _source.LeftOut;
        _lastUs = now;
        Forget();
        _table.Sort(static (left, right) =>
        {
            int order = right.LostUs.CompareTo(left.LostUs);
            order = order != 0 ? order : right.BusyUs.CompareTo(left.BusyUs);
            order = order != 0 ? order : Nullable.Compare(right.ReceiveBitsPerSecond, left.ReceiveBitsPerSecond);
            return order != 0 ? order : left.Local.Port.CompareTo(right.Local.Port);
        });
        return _table;
    }

    /// <inheritdoc/>
    public void Dispose() => _source.Dispose();

    void Take(ConnectionReading reading)
    {
        (Endpoint, Endpoint) key = (reading.Local, reading.Remote);
        if (!_connections.TryGetValue(key, out WatchedConnection? connection))
        {
            if (_connections.Count == MaxConnections)
            {
                LeftOut++;
                return;
            }

            _connections.Add(key, connection = new WatchedConnection(reading.Local, reading.Remote));
        }

        connection.Take(reading, _intervalUs, _interval);
    }

    void Forget()
    {
        _table.Clear();
        foreach (((Endpoint, Endpoint) key, WatchedConnection connection) in _connections)
        {
            if (connection.Interval != _interval)
            {
                _connections.Remove(key);
            }
            else if (IsMatch(connection))
            {
                _table.Add(connection);
            }
        }
    }

    // Packets of a connection go both ways; a rule that matches either direction matches.
    bool IsMatch(WatchedConnection connection)
    {
        int process = (int)(connection.ProcessId ?? 0);
        return _match.Matches(new PacketFacts(IpProtocol.Tcp, connection.Local, connection.Remote, IsOut: true, process, connection.Process))
            || _match.Matches(new PacketFacts(IpProtocol.Tcp, connection.Remote, connection.Local, IsOut: false, process, connection.Process));
    }
}

/// <summary>Reads all open connections.</summary>
interface IConnectionSource : IDisposable
{
    /// <summary>Whether stack events show what happened between two readings.</summary>
    bool HasEvents { get; }

    /// <summary>Connections that the latest reading left out because there were too many.</summary>
    long LeftOut => 0;

    /// <summary>Reads all connections.</summary>
    /// <param name="take">Receives each; the object is reused for the next one.</param>
    /// <param name="begin">Receives the time, microseconds, before the first one.</param>
    /// <exception cref="CaptureException">The system no longer lists its connections.</exception>
    long Read(Action<ConnectionReading> take, Action<long> begin);
}

/// <summary>
/// The state of one connection at one time, as the kernel reports it. Counters run since the connection began; what is not known is null. Reused for
/// every reading.
/// </summary>
sealed class ConnectionReading
{
    public Endpoint Local { get; set; }

    public Endpoint Remote { get; set; }

    public uint? ProcessId { get; set; }

    public string? Process { get; set; }

    /// <summary>Smoothed round-trip time, microseconds.</summary>
    public long? SrttUs { get; set; }

    /// <summary>Congestion window, bytes.</summary>
    public long? CwndBytes { get; set; }

    /// <summary>Sent and not acknowledged, bytes.</summary>
    public long? InFlightBytes { get; set; }

    /// <summary>The peer's receive window, bytes.</summary>
    public long? SendWindowBytes { get; set; }

    /// <summary>Payload sent for the first time, bytes.</summary>
    public long? BytesOut { get; set; }

    /// <summary>Payload received, bytes.</summary>
    public long? BytesIn { get; set; }

    public long? Retransmissions { get; set; }

    public long? Reorderings { get; set; }

    /// <summary>
    /// Whether the times are judgments, which later events correct: one that goes back belongs to the same connection. Clocks of the kernel only run forward.
    /// </summary>
    public bool AreTimesJudged { get; init; }

    /// <summary>Time with data to send or in flight, microseconds; judged, the time in which something else than the application was the limit.</summary>
    public long? BusyUs { get; set; }

    /// <summary>Of it: stopped by the peer's receive window, microseconds.</summary>
    public long? ReceiveWindowUs { get; set; }

    /// <summary>Of it: stopped by a full send buffer, microseconds.</summary>
    public long? SendBufferUs { get; set; }

    /// <summary>Time in fast recovery, microseconds; null where only the current state is known.</summary>
    public long? FastRecoveryUs { get; set; }

    /// <summary>Time in recovery after a timeout, microseconds; null where only the current state is known.</summary>
    public long? TimeoutUs { get; set; }

    /// <summary>Time of which nothing is known, since events were lost, microseconds; null where the kernel keeps its own clocks.</summary>
    public long? NotJudgedUs { get; set; }

    /// <summary>The sender's current loss recovery.</summary>
    public RecoveryState Recovery { get; set; }
}
