using System;
using System.Collections.Generic;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Watching;

/// <summary>
/// Follows the connections of a machine from reading to reading: rates, what limited each sender, and how much time that cost. Memory grows with the connections that are open.
/// </summary>
public sealed class ConnectionWatch : IDisposable
{
    // A busy server; what comes beyond is counted.
    const int MostConnections = 1 << 16;

    readonly IConnectionSource _source;
    readonly MatchRule _match;
    readonly Dictionary<(Endpoint Local, Endpoint Remote), WatchedConnection> _connections = [];
    readonly List<WatchedConnection> _table = [];
    long _lastUs;
    long _interval;
    long _intervalUs;

    internal ConnectionWatch(IConnectionSource source, MatchRule match)
    {
        _source = source;
        _match = match;
    }

    /// <summary>Whether events of the stack tell how long losses were being repaired; else the state at each reading counts for the whole interval.</summary>
    public bool HasEvents => _source.HasEvents;

    /// <summary>Connections left out because there were too many.</summary>
    public long LeftOut { get; private set; }

    /// <summary>Length of the latest interval; 0 for the first reading.</summary>
    public TimeSpan Interval => TimeSpan.FromMicroseconds(_intervalUs);

    /// <summary>Begins to watch the connections of this machine, or of the network namespace it is called in.</summary>
    /// <param name="match">Which connections; a rule about processes too.</param>
    /// <returns>The watch.</returns>
    /// <exception cref="CaptureException">The system does not tell.</exception>
    public static ConnectionWatch Open(MatchRule match)
    {
        if (OperatingSystem.IsWindows())
        {
            return new(Windows.LiveConnections.Open(new Windows.WindowsMachine()), match);
        }

        return OperatingSystem.IsLinux()
            ? new(Linux.Watching.SocketReader.Open(match), match)
            : throw new CaptureException("connections can be watched on Windows and Linux only.");
    }

    /// <summary>Reads all connections.</summary>
    /// <returns>Those that match: the most time lost first, then the busiest. Valid until the next call.</returns>
    /// <exception cref="CaptureException">The system does not tell any more.</exception>
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
            if (_connections.Count == MostConnections)
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

    // Packets of a connection go both ways; a rule that either of them meets is met.
    bool IsMatch(WatchedConnection connection)
    {
        int process = (int)(connection.ProcessId ?? 0);
        return _match.Matches(new PacketFacts(IpProtocol.Tcp, connection.Local, connection.Remote, IsOut: true, process, connection.Process))
            || _match.Matches(new PacketFacts(IpProtocol.Tcp, connection.Remote, connection.Local, IsOut: false, process, connection.Process));
    }
}
