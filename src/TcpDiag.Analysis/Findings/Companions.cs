using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// Connections between the same hosts at the same time: they share a path, fill it together, and each waits in the queue of the others. Of many, the largest
/// are looked at.
/// </summary>
/// <param name="connections">Connections of a trace, looked at when one is first asked about; those that were added are looked at besides.</param>
sealed class Companions(IReadOnlyList<Connection> connections)
{
    const int MaxKept = 256; // of two hosts in one direction: hundreds at once have as small a share each (assumed)

    static readonly Comparer<Transfer> LargestFirst = Comparer<Transfer>.Create(static (one, other) =>
        (other.Bytes, one.Connection).CompareTo((one.Bytes, other.Connection)));

    static readonly Comparer<Conversation> LongestFirst = Comparer<Conversation>.Create(static (one, other) =>
        (other.Time, one.Connection).CompareTo((one.Time, other.Connection)));

    static readonly List<Transfer> None = [];

    readonly Dictionary<(IpAddress Sender, IpAddress Receiver), List<Transfer>> _transfers = [];
    readonly Dictionary<(IpAddress Client, IpAddress Server), List<Conversation>> _conversations = [];
    IReadOnlyList<Connection> _waiting = connections;

    /// <summary>Looks at a connection, which need not be kept.</summary>
    /// <param name="connection">The connection.</param>
    public void Add(Connection connection)
    {
        Add(new DirectionSubject(connection, true));
        Add(new DirectionSubject(connection, false));
        if (connection.FromServer.Answers is { } answers)
        {
            var hosts = (connection.Client.Address, connection.Server.Address);
            Keep(_conversations, hosts, new(connection.Index, connection.Start, connection.Last, answers.Time, answers.Count), LongestFirst);
        }
    }

    /// <summary>What a direction and its companions got together in some time, and what the path gives.</summary>
    /// <param name="subject">The direction.</param>
    /// <param name="from">When that time begins.</param>
    /// <param name="to">When it ends.</param>
    /// <returns>Null where it had no companions then, or nothing shows the rate of the path.</returns>
    public SharedRate? SharedRate(in DirectionSubject subject, TraceTime from, TraceTime to)
    {
        double own = 0;
        double all = 0;
        double path = 0;
        int others = 0;
        foreach (Transfer transfer in TransfersOf(HostsOf(subject)))
        {
            if (transfer.ShareOf(from, to) is > 0 and var share)
            {
                bool isOwn = transfer.Connection == subject.Connection.Index;
                all += share * transfer.BitsPerSecond;
                own += isOwn ? share * transfer.BitsPerSecond : 0;
                path = Math.Max(path, transfer.BurstBitsPerSecond);
                others += isOwn ? 0 : 1;
            }
        }

        return others > 0 && path > 0 ? new(own, all, path, others) : null;
    }

    /// <summary>
    /// The rate of data that filled the path the other way while a direction was active: acknowledgments waited in its queue, and came in bunches (L. Zhang,
    /// S. Shenker, D. Clark, "Observations on the dynamics of a congestion control algorithm: the effects of two-way traffic", SIGCOMM 1991).
    /// </summary>
    /// <param name="subject">The direction.</param>
    /// <returns>Bits per second, the highest; null where nothing did.</returns>
    public double? OtherWay(in DirectionSubject subject)
    {
        if (subject.Direction.FirstData is not { } begin)
        {
            return null;
        }

        double? highest = null;
        (IpAddress sender, IpAddress receiver) = HostsOf(subject);
        foreach (Transfer transfer in TransfersOf((receiver, sender)))
        {
            if (transfer.IsPathFull && transfer.ShareOf(begin, begin + subject.ActiveTime) > 0)
            {
                highest = Math.Max(highest ?? 0, transfer.BitsPerSecond);
            }
        }

        return highest;
    }

    /// <summary>
    /// Whether a companion to the same port of the server had so much in flight: as the capture point saw it, or as its rate and the round trip have it.
    /// </summary>
    /// <param name="subject">The direction.</param>
    /// <param name="bytes">How much.</param>
    /// <returns>Whether one had as much or more.</returns>
    public bool IsAnyInFlight(in DirectionSubject subject, double bytes)
    {
        if (subject.Direction.FirstData is not { } begin)
        {
            return false;
        }

        long path = RoundTrip.PathOf(subject.Connection) ?? 0;
        foreach (Transfer transfer in TransfersOf(HostsOf(subject)))
        {
            if (Math.Max(transfer.MaxInFlight, transfer.BestBitsPerSecond * path / 8e9) >= bytes
                && transfer.Port == subject.Connection.Server.Port
                && transfer.Connection != subject.Connection.Index
                && transfer.ShareOf(begin, begin + subject.ActiveTime) > 0)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>How much of the time in which a client waited for answers was spent in the queue that its other data stood in.</summary>
    /// <param name="connection">The connection of the answers.</param>
    /// <returns>Nanoseconds.</returns>
    public long QueueWait(Connection connection)
    {
        if (connection.FromServer.Answers is not { } answers)
        {
            return 0;
        }

        long longest = 0;
        var conversation = new Conversation(connection.Index, connection.Start, connection.Last, answers.Time, answers.Count);
        foreach (Transfer transfer in TransfersOf((connection.Client.Address, connection.Server.Address)))
        {
            longest = Math.Max(longest, conversation.WaitIn(transfer));
        }

        return longest;
    }

    /// <summary>The longest that the client of a conversation waited in the queue that a direction filled.</summary>
    /// <param name="subject">The direction.</param>
    /// <returns>Nanoseconds.</returns>
    public long WaitBeside(in DirectionSubject subject)
    {
        LookAtWaiting();
        if (Transfer.Of(subject) is not { } transfer || !subject.IsFromClient || !_conversations.TryGetValue(HostsOf(subject), out List<Conversation>? ofHosts))
        {
            return 0;
        }

        long longest = 0;
        foreach (Conversation conversation in ofHosts)
        {
            longest = Math.Max(longest, conversation.WaitIn(transfer));
        }

        return longest;
    }

    static (IpAddress Sender, IpAddress Receiver) HostsOf(in DirectionSubject subject)
    {
        (IpAddress client, IpAddress server) = (subject.Connection.Client.Address, subject.Connection.Server.Address);
        return subject.IsFromClient ? (client, server) : (server, client);
    }

    void Add(in DirectionSubject subject)
    {
        if (Transfer.Of(subject) is { } transfer)
        {
            Keep(_transfers, HostsOf(subject), transfer, LargestFirst);
        }
    }

    List<Transfer> TransfersOf((IpAddress Sender, IpAddress Receiver) hosts)
    {
        LookAtWaiting();
        return _transfers.TryGetValue(hosts, out List<Transfer>? transfers) ? transfers : None;
    }

    // Most hosts of a large trace have one connection, which has no companions.
    void LookAtWaiting()
    {
        if (_waiting.Count == 0)
        {
            return;
        }

        HashSet<(IpAddress, IpAddress)> seen = new(_waiting.Count);
        HashSet<(IpAddress, IpAddress)> shared = [];
        foreach (Connection waiting in _waiting)
        {
            _ = seen.Add(PairOf(waiting)) || shared.Add(PairOf(waiting));
        }

        foreach (Connection waiting in _waiting)
        {
            if (shared.Count > 0 && shared.Contains(PairOf(waiting)))
            {
                Add(waiting);
            }
        }

        _waiting = [];
    }

    // The same whichever of both opened the connection.
    static (IpAddress, IpAddress) PairOf(Connection connection)
    {
        (IpAddress client, IpAddress server) = (connection.Client.Address, connection.Server.Address);
        return (client.High, client.Low).CompareTo((server.High, server.Low)) <= 0 ? (client, server) : (server, client);
    }

    static void Keep<T>(Dictionary<(IpAddress, IpAddress), List<T>> all, (IpAddress, IpAddress) hosts, in T one, Comparer<T> order)
    {
        ref List<T>? kept = ref CollectionsMarshal.GetValueRefOrAddDefault(all, hosts, out _);
        kept ??= [];
        if (kept.Count < MaxKept || order.Compare(one, kept[^1]) < 0)
        {
            int place = kept.BinarySearch(one, order);
            kept.Insert(place < 0 ? ~place : place, one);
            if (kept.Count > MaxKept)
            {
                kept.RemoveAt(MaxKept);
            }
        }
    }
}

/// <summary>What connections between the same hosts got together.</summary>
/// <param name="Own">What one of them got, bits per second.</param>
/// <param name="All">What all of them got, bits per second.</param>
/// <param name="Path">The rate of the path, as the bursts of any of them show it, bits per second.</param>
/// <param name="Others">How many there were besides.</param>
readonly record struct SharedRate(double Own, double All, double Path, int Others)
{
    /// <summary>Whether together they got what the path gives, and one of them did not alone.</summary>
    public bool IsFull => All >= Thresholds.FullRateShare * Path && Own < Thresholds.FullRateShare * Path;
}
