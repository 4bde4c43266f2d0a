using System;
using System.Collections.Generic;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Capture.Watching;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux.Watching;

/// <summary>
/// Reads every connection of a network namespace with its tcp_info: one dump of sock_diag(7) for each family, some 64 KB at a time. Owners come from /proc, looked for in the
/// background and only for sockets not met before. Where rights allow it the kernel's events tell how long losses were being repaired between two readings.
/// </summary>
sealed class SocketReader : IConnectionSource
{
    const int ReceiveBytes = 1 << 16;
    const long NanosecondsPerMicrosecond = 1000;

    readonly NetlinkSocket _netlink;
    readonly RepairClocks? _repairs;
    readonly SocketOwners _owners = new();
    readonly Dictionary<uint, SocketOwner?> _known = [];
    readonly HashSet<uint> _met = [];
    readonly byte[] _answers = new byte[ReceiveBytes];
    readonly StackEvent _info = new();
    readonly ConnectionReading _reading = new();

    SocketReader(NetlinkSocket netlink, RepairClocks? repairs)
    {
        _netlink = netlink;
        _repairs = repairs;
    }

    /// <inheritdoc/>
    public bool HasEvents => _repairs is not null;

    /// <summary>Opens the reader in the network namespace of the calling thread.</summary>
    /// <param name="match">Which connections will be asked for; all are read.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="CaptureException">The kernel has no sock_diag.</exception>
    public static SocketReader Open(MatchRule match) => new(NetlinkSocket.Open(), RepairClocks.TryOpen(match));

    /// <inheritdoc/>
    public long Read(Action<ConnectionReading> take, Action<long> begin)
    {
        long now = Libc.Now(Libc.ClockMonotonic);
        begin(now / NanosecondsPerMicrosecond);
        _met.Clear();
        _repairs?.BeginReading();
        Span<byte> request = stackalloc byte[InetDiagRequest.Length];
        foreach (byte family in (ReadOnlySpan<byte>)[InetDiagRequest.FamilyIpv4, InetDiagRequest.FamilyIpv6])
        {
            InetDiagRequest.WriteDump(request, family, 0, withDetails: true);
            bool goesOn = _netlink.TrySend(request);
            int length;
            while (goesOn && (length = _netlink.Receive(_answers)) > 0)
            {
                goesOn = TakeAll(_answers.AsSpan(0, length), take);
            }
        }

        ForgetOwners();
        _repairs?.EndReading();
        _owners.SearchIfDue(now);
        return now / NanosecondsPerMicrosecond;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _repairs?.Dispose();
        _netlink.Dispose();
    }

    // False once the end of the list, or an error, was among the answers.
    bool TakeAll(ReadOnlySpan<byte> datagram, Action<ConnectionReading> take)
    {
        var reader = new NetlinkReader(datagram);
        while (reader.TryRead(out ReadOnlySpan<byte> payload))
        {
            if (reader.Type != InetDiagRequest.TypeByFamily)
            {
                return false;
            }

            if (InetDiagMessage.TryRead(payload, out InetDiagMessage message) && !message.Info.IsEmpty)
            {
                Fill(message);
                take(_reading);
            }
        }

        return true;
    }

    void Fill(InetDiagMessage message)
    {
        _info.Reset(StackEventKind.CwndSample, default, SocketSampler.Source);
        message.Info.CopyTo(_info);
        SocketOwner? owner = FindOwner(message.Inode);
        _reading.Local = message.Local;
        _reading.Remote = message.Remote;
        _reading.ProcessId = owner?.ProcessId;
        _reading.Process = owner?.Name;
        _reading.SrttUs = Value(StackField.Srtt) is > 0 and var srtt ? srtt : null;
        _reading.CwndBytes = Value(StackField.Cwnd);
        _reading.InFlightBytes = Value(StackField.BytesInFlight);
        _reading.SendWindowBytes = Value(StackField.SndWnd);
        _reading.BytesOut = Value(StackField.DataBytesOut) - (Value(StackField.BytesRetransmitted) ?? 0);
        _reading.BytesIn = Value(StackField.DataBytesIn);
        _reading.Retransmissions = Value(StackField.SegmentsRetransmitted);
        _reading.Reorderings = Value(StackField.ReorderingEvents);
        _reading.BusyUs = Value(StackField.BusyTimeUs);
        _reading.ReceiveWindowUs = Value(StackField.RcvWndLimitedUs);
        _reading.SendBufferUs = Value(StackField.SndBufLimitedUs);
        _reading.Repair = CongestionStates.Repair(Value(StackField.CongestionState));
        (_reading.RecoveryUs, _reading.TimeoutUs) = (null, null);
        _repairs?.Fill(_reading);
    }

    long? Value(StackField field) => _info.TryGet(field, out long value) ? value : null;

    // Null while nobody is known to own it.
    SocketOwner? FindOwner(uint inode)
    {
        _met.Add(inode);
        if (!_known.TryGetValue(inode, out SocketOwner? owner) || owner is null)
        {
            owner = _owners.TryFind(inode, out SocketOwner found) ? found : null;
            _known[inode] = owner;
        }

        return owner;
    }

    void ForgetOwners()
    {
        foreach ((uint inode, _) in _known)
        {
            if (!_met.Contains(inode))
            {
                _known.Remove(inode);
                _owners.Forget(inode);
            }
        }
    }
}
