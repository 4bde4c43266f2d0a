using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// Packets of this host through WinDivert: what leaves is <see cref="LinkDirection.Out"/>, what arrives <see cref="LinkDirection.In"/>; what this
/// host sends to itself is only ever seen leaving. With the process gone the driver sends what it still holds on its way, and packets pass as if it
/// did not exist.
/// </summary>
[SupportedOSPlatform("windows")]
public sealed class DivertPort : IPacketPort
{
    // The largest values the driver takes: WINDIVERT_PARAM_QUEUE_LENGTH_MAX, _TIME_MAX and _SIZE_MAX.
    const int QueuePackets = 16_384;
    const int QueueMilliseconds = 16_000;
    const int QueueBytes = 32 * 1024 * 1024;

    // So many packets may be received while others wait to be sent, when there is no pause in between.
    const int MaxReceivedInARow = 16;

    // After the handle was shut down its last packets come at once.
    static readonly TimeSpan LongestEnd = TimeSpan.FromSeconds(1);

    readonly DivertFiles _files;
    readonly IpAddress? _loopbackNear;
    readonly DivertHandle _handle;
    readonly DriverQueueWatch _watch = new(Stopwatch.Frequency, QueuePackets, QueueBytes, TimeSpan.FromMilliseconds(QueueMilliseconds));
    readonly WakeTimer _timer = new();
    readonly PacketReceiver _receiver;
    readonly PacketSender _sender;
    readonly FlowWatch? _flows;
    readonly WaitHandle[] _waited;
    int _receivedInARow;
    bool _isFinished;

    /// <summary>Loads WinDivert from its folder and begins to divert.</summary>
    /// <param name="options">How.</param>
    /// <param name="match">Which packets.</param>
    /// <exception cref="ShimException">The files are not the ones that are meant, or the system refused.</exception>
    public DivertPort(DivertOptions options, MatchRule match)
        : this(new DivertFiles(options.Folder, DivertPins.Release, FolderRights.FindWeakness), options, match)
    {
    }

    /// <summary>Begins to divert with files that were checked; they are released with the port.</summary>
    internal DivertPort(DivertFiles files, DivertOptions options, MatchRule match)
    {
        _files = files;
        _loopbackNear = options.LoopbackNear;
        DivertHandle? handle = null;
        try
        {
            DivertLibrary.Load(files);
            string filter = options.Filter ?? DivertFilter.Translate(match);
            CheckFilter(filter);
            _flows = match.NamesProcess ? new FlowWatch() : null;
            _handle = handle = Open(filter, DivertLayer.Network, options.Priority, DivertModes.None);
            SetParameter(DivertParameter.QueueLength, QueuePackets);
            SetParameter(DivertParameter.QueueTime, QueueMilliseconds);
            SetParameter(DivertParameter.QueueSize, QueueBytes);
        }
        catch (ShimException)
        {
            _flows?.Dispose();
            handle?.Dispose();
            _timer.Dispose();
            _files.Dispose();
            throw;
        }

        _receiver = new PacketReceiver(_handle, _watch);
        _sender = new PacketSender(_handle);
        _waited = [_receiver.Ring.Arrival, _timer];
    }

    /// <summary>Packets that the driver did not take back: one for each call that was refused, since at least one was lost each time.</summary>
    public long Lost => _sender.Refused;

    /// <summary>Always 0: what finds the driver's queue full is lost, never passed on. See <see cref="Doubt"/>.</summary>
    public long Bypassed => 0;

    /// <inheritdoc/>
    public string? Doubt => _watch.Doubt ?? _flows?.Doubt;

    /// <inheritdoc/>
    public IReadOnlyList<string> Notes => _timer.IsHighResolution
        ? []
        : ["This Windows has no high-resolution timers (they came with 10 1803): packets leave up to 2 ms late, however the delay is set."];

    /// <inheritdoc/>
    public void Wait(long timeoutNanos)
    {
        _sender.Flush();
        _receivedInARow = 0;
        if (timeoutNanos <= 0 || _receiver.Ring.Oldest is not null)
        {
            return;
        }

        _timer.Set(timeoutNanos);
        WaitHandle.WaitAny(_waited);
    }

    /// <inheritdoc/>
    public int Receive(Span<byte> buffer, out PacketOrigin origin)
    {
        if (++_receivedInARow >= MaxReceivedInARow)
        {
            _sender.Flush();
            _receivedInARow = 0;
        }

        origin = default;
        while (TryTake(out ReadOnlySpan<byte> packet, out DivertAddress address))
        {
            if (packet.Length <= buffer.Length)
            {
                packet.CopyTo(buffer);
                origin = new PacketOrigin(DirectionOf(buffer[..packet.Length], in address), address.Bits, address.Interface);
                return packet.Length;
            }

            _sender.Add(packet, in address);
        }

        return 0;
    }

    /// <inheritdoc/>
    public void Attribute(ref PacketFacts facts) => _flows?.Attribute(ref facts);

    /// <summary>
    /// Calculates the checksums that the system left to the hardware: damage done afterwards is then found by the receiver, not made good on the way.
    /// </summary>
    public void Prepare(Span<byte> packet, ref PacketOrigin origin)
    {
        DivertAddress address = ToAddress(in origin);
        if (!address.HasChecksums && DivertHelpers.FillChecksums(packet, ref address))
        {
            origin = origin with { Id = address.Bits };
        }
    }

    /// <inheritdoc/>
    public void Finish()
    {
        _sender.Flush();
        _isFinished = true;
        _ = DivertNative.Shutdown(_handle, DivertShutdown.Receive);
    }

    /// <inheritdoc/>
    public void Complete(ReadOnlySpan<byte> packet, in PacketOrigin origin, bool isFirst)
    {
        // A packet that is not sent again is dropped.
        if (!packet.IsEmpty)
        {
            _sender.Add(packet, ToAddress(in origin));
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _sender.Flush();
        _ = DivertNative.Shutdown(_handle, DivertShutdown.Both);
        _receiver.Dispose();
        _flows?.Dispose();
        _handle.Dispose();
        _timer.Dispose();
        _files.Dispose();
    }

    /// <summary>Opens a handle, and loads the driver where it is not.</summary>
    /// <exception cref="ShimException">The system refused.</exception>
    internal static DivertHandle Open(string filter, DivertLayer layer, short priority, DivertModes modes)
    {
        DivertHandle handle = DivertNative.Open(filter, layer, priority, modes);
        return handle.IsInvalid ? throw DivertErrors.LastError("open WinDivert") : handle;
    }

    // What the machine sends itself is only ever seen leaving; which way it goes by whose it is.
    LinkDirection DirectionOf(Span<byte> packet, in DivertAddress address)
    {
        bool isOut = address.IsLoopback && _loopbackNear is { } near
            ? PacketView.TryRead(packet, out PacketView view) && view.ReadFacts(isOut: true).Source.Address == near
            : address.IsOutbound;
        return isOut ? LinkDirection.Out : LinkDirection.In;
    }

    static DivertAddress ToAddress(in PacketOrigin origin) => new() { Bits = origin.Id, Interface = origin.Interface };

    static void CheckFilter(string filter)
    {
        if (DivertHelpers.FindFault(filter, DivertLayer.Network) is var (fault, position))
        {
            throw new ShimException(
                FormattableString.Invariant($"WinDivert filter, character {position + 1}: {fault}, in '{filter}'.")
                + " Its language: https://reqrypt.org/windivert-doc.html#filter_language");
        }
    }

    // At the end of a run the thread that receives brings what the driver still holds.
    bool TryTake(out ReadOnlySpan<byte> packet, out DivertAddress address)
    {
        while (true)
        {
            // Asked before taking: at the end of the ring the last packets are in it.
            bool isLast = !_isFinished || _receiver.Ring.IsEnded;
            if (_receiver.TryTake(out packet, out address))
            {
                return true;
            }

            if (isLast || !_receiver.Ring.Arrival.WaitOne(LongestEnd))
            {
                return false;
            }
        }
    }

    void SetParameter(DivertParameter parameter, ulong value)
    {
        if (!DivertNative.SetParameter(_handle, parameter, value))
        {
            throw DivertErrors.LastError(FormattableString.Invariant($"set WinDivert's {parameter} to {value}"));
        }
    }
}

/// <summary>How WinDivert is used.</summary>
public sealed record DivertOptions
{
    /// <summary>The highest priority; the lowest is its negative.</summary>
    public const short MaxPriority = 30_000;

    /// <summary>Where WinDivert.dll and WinDivert64.sys are.</summary>
    public string Folder { get; init; } = DefaultFolder;

    /// <summary>A filter in WinDivert's language instead of the match's translation; the match is then looked at afterwards.</summary>
    public string? Filter { get; init; }

    /// <summary>
    /// Among programs that use WinDivert: those of higher priority see a packet first. Two of the same priority must not have the same packets.
    /// </summary>
    public short Priority { get; init; }

    /// <summary>
    /// The near end of what the machine sends itself, which is only ever seen leaving: its packets are outgoing, all others incoming. Null takes all
    /// for outgoing.
    /// </summary>
    public IpAddress? LoopbackNear { get; init; }

    /// <summary>The folder <c>windivert</c> beside this program.</summary>
    public static string DefaultFolder => Path.Combine(AppContext.BaseDirectory, "windivert");
}
