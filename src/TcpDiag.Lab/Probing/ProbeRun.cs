using System;
using System.Runtime.ExceptionServices;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using System.Threading;
using TcpDiag.Platform;
using TcpDiag.Probe.Profiles;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Results;
using TcpDiag.Shim;
using TcpDiag.Shim.Tun;
using TcpDiag.Wire;

namespace TcpDiag.Lab.Probing;

/// <summary>What a probe is to do.</summary>
/// <param name="Listen">Address and port at which it waits; the other address of its /31 (IPv6: /127) becomes that of this machine on the device.</param>
/// <param name="Profile">The script.</param>
/// <param name="Network">The pretended network.</param>
/// <param name="Limit">The longest it may take, waiting for the sender included.</param>
public sealed record ProbeRunSettings(Endpoint Listen, ProbeProfile Profile, ProbeSettings Network, TimeSpan Limit);

/// <summary>A probe on a TUN device: real packets in, real packets out, on the system's monotonic clock. One sender, the first that connects.</summary>
[SupportedOSPlatform("linux")]
public sealed class ProbeRun : IDisposable
{
    const int BufferBytes = 65_536;
    const int Ipv4PairBits = 31; // RFC 3021
    const int Ipv6PairBits = 127; // RFC 6164
    const long LongestWaitNanos = 50_000_000;
    const long NanosPerTick = 100;

    readonly ProbeRunSettings _settings;
    readonly TunStation _station;
    readonly ShimClock _clock = new(TimeProvider.System);
    readonly ScriptedReceiver _receiver;
    readonly byte[] _buffer = new byte[BufferBytes];
    readonly byte[] _answer = new byte[SegmentCodec.MaxBytes];
    ParsedPacket _packet;
    Endpoint? _sender;
    TraceTime _connected;
    TraceTime _begun;
    long _segments;

    /// <summary>Makes the device.</summary>
    /// <exception cref="PlatformException">There are no rights, no TUN driver, or the device is taken.</exception>
    public ProbeRun(ProbeRunSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        _settings = settings;
        IpAddress listen = settings.Listen.Address;
        string device = FormattableString.Invariant($"probe{settings.Listen.Port}");
        _station = new TunStation(device, new IpAddress(listen.High, listen.Low ^ 1), listen.IsIpv4 ? Ipv4PairBits : Ipv6PairBits);
        uint iss = BitConverter.ToUInt32(RandomNumberGenerator.GetBytes(sizeof(uint))); // RFC 9293 §3.4.1: not to be guessed
        _receiver = new ScriptedReceiver(settings.Network, settings.Profile, new SequenceNumber(iss));
    }

    /// <summary>Runs the script, on a thread of its own that wakes on time.</summary>
    /// <param name="interruption">Ends it early; what was read until then counts.</param>
    /// <returns>What was read.</returns>
    /// <exception cref="PlatformException">The device was removed.</exception>
    public ProbeDocument Run(CancellationToken interruption)
    {
        ExceptionDispatchInfo? fault = null;
        Thread thread = new(() =>
        {
            try
            {
                TunStation.TakePriority();
                Loop(interruption);
            }
            catch (PlatformException exception)
            {
                fault = ExceptionDispatchInfo.Capture(exception);
            }
        });
        thread.Start();
        thread.Join();
        fault?.Throw();
        return Document();
    }

    /// <inheritdoc/>
    public void Dispose() => _station.Dispose();

    void Loop(CancellationToken interruption)
    {
        _begun = _clock.Now;
        TraceTime deadline = _begun + (_settings.Limit.Ticks * NanosPerTick);
        while (_receiver.End is null)
        {
            Receive();
            Send();
            TraceTime now = _clock.Now;
            if (interruption.IsCancellationRequested || now >= deadline)
            {
                _receiver.Abort(interruption.IsCancellationRequested ? "it was interrupted" : "the time of --for was over");
            }

            Send();
            _station.Wait(Math.Clamp(Math.Min(_receiver.NextTimer - now, deadline - now), 0, LongestWaitNanos));
        }

        Send();
    }

    void Receive()
    {
        int length;
        while ((length = _station.Receive(_buffer)) > 0)
        {
            if (PacketParser.TryParse(_buffer.AsSpan(0, length), LinkType.Raw, ref _packet) && _packet.IsTcp && IsForUs())
            {
                _segments += _packet.PayloadLength > 0 ? 1 : 0;
                _receiver.OnSegment(SegmentCodec.Read(_packet), _clock.Now);
            }

            Send(); // what is due does not wait for a burst to end
        }
    }

    bool IsForUs()
    {
        Endpoint source = new(_packet.Source, _packet.SourcePort);
        if (new Endpoint(_packet.Destination, _packet.DestinationPort) != _settings.Listen)
        {
            return false;
        }

        if (_sender is null && (_packet.Flags & (TcpFlags.Syn | TcpFlags.Ack)) == TcpFlags.Syn)
        {
            _sender = source;
            _connected = _clock.Now;
        }

        return source == _sender;
    }

    void Send()
    {
        while (_sender is { } sender && _receiver.TrySend(_clock.Now, out ProbeSegment segment))
        {
            _station.Send(_answer.AsSpan(0, SegmentCodec.Write(segment, _receiver.WindowScale, _settings.Listen, sender, _answer)));
        }
    }

    ProbeDocument Document()
    {
        string end = _sender is null ? "no sender connected" : _receiver.End!;
        ReceiverView view = _receiver.View;
        return new ProbeDocument(
            ProbeDocument.SchemaName,
            _settings.Profile.Name,
            _settings.Listen.ToString(),
            _sender?.ToString(),
            _settings.Network.DelayNanos,
            view.PathNanos,
            view.MinRttNanos > 0 ? view.MinRttNanos : null,
            view.SrttNanos > 0 ? view.SrttNanos : null,
            _clock.Now - (_sender is null ? _begun : _connected),
            _segments,
            _station.Lost,
            _settings.Profile.IsDone,
            end,
            _settings.Profile.Summarise(view, end),
            _settings.Profile.Read(view, end));
    }
}
