using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// Finds the process a packet belongs to: the driver's flow layer names the process of each flow that begins while we watch; for one that began
/// before, or whose handshake is still under way, the system's tables of sockets are read once (<see cref="SocketOwners"/>).
/// </summary>
[SupportedOSPlatform("windows")]
sealed unsafe class FlowWatch : IDisposable
{
    // A flow that no table knows is asked for again after so long.
    const long UnknownMilliseconds = 1000;

    // When so many are unknown all are asked for once more.
    const int MaxUnknown = 4096;

    readonly DivertHandle _handle;
    readonly FlowTable _flows = new();
    readonly DivertAddress[] _addresses = GC.AllocateArray<DivertAddress>(PacketBatch.MaxPackets, pinned: true);
    readonly Thread _thread;
    readonly Dictionary<FlowEnds, long> _unknown = [];
    string? _doubt;

    /// <summary>Begins to watch.</summary>
    /// <exception cref="ShimException">The driver refused.</exception>
    public FlowWatch()
    {
        _handle = DivertPort.Open("true", DivertLayer.Flow, 0, DivertModes.Sniff | DivertModes.ReceiveOnly);
        _thread = new Thread(Run) { Name = "flows", IsBackground = true };
        _thread.Start();
    }

    /// <summary>Why processes may have been missed, as a sentence; null while the driver reports flows.</summary>
    public string? Doubt => Volatile.Read(ref _doubt);

    /// <summary>Adds the process to what is known of a packet.</summary>
    /// <param name="facts">The packet; left as it is where the process is not known.</param>
    public void Attribute(ref PacketFacts facts)
    {
        if (facts.Protocol is not (IpProtocol.Tcp or IpProtocol.Udp))
        {
            return;
        }

        (Endpoint local, Endpoint remote) = facts.IsOut ? (facts.Source, facts.Destination) : (facts.Destination, facts.Source);
        FlowEnds ends = new(facts.Protocol, local, remote);
        if (_flows.TryFind(ends, out FlowOwner owner) || TryAskSystem(ends, out owner))
        {
            facts = facts with { ProcessId = owner.Id, ProcessName = owner.Name };
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _ = DivertNative.Shutdown(_handle, DivertShutdown.Both);
        _thread.Join();
        _handle.Dispose();
    }

    void Run()
    {
        while (true)
        {
            uint bytes = PacketBatch.MaxPackets * DivertAddress.SizeBytes;
            fixed (DivertAddress* addresses = _addresses)
            {
                if (!DivertNative.Receive(_handle, null, 0, out _, 0, addresses, ref bytes, 0))
                {
                    NoteEnd(Marshal.GetLastPInvokeError());
                    return;
                }
            }

            foreach (ref readonly DivertAddress address in _addresses.AsSpan(0, (int)bytes / DivertAddress.SizeBytes))
            {
                _flows.Apply(in address, FindName);
            }
        }
    }

    // A handle that is shut down ends with ERROR_NO_DATA.
    void NoteEnd(int code)
    {
        if (code != DivertErrors.NoData)
        {
            Volatile.Write(
                ref _doubt,
                FormattableString.Invariant($"WinDivert reported no more flows (error {code}, {DivertErrors.Find(code).Meaning}): ")
                    + "whose packets came afterwards may not have been known");
        }
    }

    bool TryAskSystem(FlowEnds ends, out FlowOwner owner)
    {
        owner = default;
        long now = Environment.TickCount64;
        if (_unknown.TryGetValue(ends, out long until) && now < until)
        {
            return false;
        }

        int id = SocketOwners.Find(ends);
        if (id == 0)
        {
            if (_unknown.Count >= MaxUnknown)
            {
                _unknown.Clear();
            }

            _unknown[ends] = now + UnknownMilliseconds;
            return false;
        }

        owner = new FlowOwner(id, FindName(id));
        _flows.Add(ends, owner);
        return true;
    }

    static string? FindName(int id)
    {
        try
        {
            using Process process = Process.GetProcessById(id);
            return process.ProcessName;
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException or Win32Exception)
        {
            // It has ended, or is not ours to look at.
            return null;
        }
    }
}
