using System;
using System.Collections.Generic;
using TcpDiag.Capture.Linux.Owners;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Capture.Watching;
using TcpDiag.Platform.Linux;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux.Watching;

/// <summary>
/// Reads every connection of a network namespace with its tcp_info: one dump of sock_diag(7) for each family, some 64 KB at a time. Owners come from
/// /proc, looked for in the background and only for new sockets. Where rights allow, kernel events show how long each sender was in loss recovery
/// between two readings.
/// </summary>
sealed class SocketReader : IConnectionSource
{
    const int ReceiveBytes = 1 << 16;
    const long NanosecondsPerMicrosecond = 1000;

    readonly NetlinkSocket _netlink;
    readonly RecoveryClocks? _clocks;
    readonly SocketOwners _owners = new();
    readonly Dictionary<uint, SocketOwner?> _known = [];
    readonly HashSet<uint> _met = [];
    readonly byte[] _answers = new byte[ReceiveBytes];
    readonly StackEvent _info = new();
    readonly ConnectionReading _reading = new();

    SocketReader(NetlinkSocket netlink, RecoveryClocks? clocks)
    {
        _netlink = netlink;
        _clocks = clocks;
    }

    public bool HasEvents => _clocks is not null;

    /// <summary>Opens the reader in the network namespace of the calling thread.</summary>
    /// <exception cref="CaptureException">The kernel has no sock_diag.</exception>
    public static SocketReader Open(MatchRule match) => new(CaptureNamespace.OpenDiagnosis(), RecoveryClocks.TryOpen(match));

    public long Read(Action<ConnectionReading> take, Action<long> begin)
    {
        long now = Libc.Now(Libc.ClockMonotonic);
        begin(now / NanosecondsPerMicrosecond);
        _met.Clear();
        _clocks?.BeginReading();
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
        _clocks?.EndReading();
        _owners.SearchIfDue(now);
        return now / NanosecondsPerMicrosecond;
    }

    public void Dispose()
    {
        _clocks?.Dispose();
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
        _reading.Recovery = CongestionStates.RecoveryOf(Value(StackField.CongestionState));
        (_reading.FastRecoveryUs, _reading.TimeoutUs) = (null, null);
        _clocks?.Fill(_reading);
    }

    long? Value(StackField field) => _info.TryGet(field, out long value) ? value : null;

    // Null while the owner is not known.
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
