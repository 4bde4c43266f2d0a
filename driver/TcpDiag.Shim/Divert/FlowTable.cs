using System;
using System.Collections.Generic;
using System.Threading;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// The flows of this host and their processes. One that has ended keeps its process, so that its last packets are impaired too, until its ends are
/// used anew, or until the table is full of such.
/// </summary>
sealed class FlowTable
{
    // Then those that have ended are forgotten. Open ones are as many as the system allows.
    const int MaxFlows = 16_384;

    readonly Lock _lock = new();
    readonly Dictionary<FlowEnds, FlowOwner> _flows = [];
    // Flows that are over; a part of the others.
    readonly HashSet<FlowEnds> _ended = [];

    /// <summary>Applies an event of the driver's flow layer.</summary>
    /// <param name="address">The event.</param>
    /// <param name="findName">The name of a process; null when it has gone.</param>
    public void Apply(in DivertAddress address, Func<int, string?> findName)
    {
        FlowEnds ends = address.Flow;
        int id = (int)address.ProcessId;
        if (address.Event == DivertEvent.FlowEstablished)
        {
            Add(ends, new FlowOwner(id, findName(id)));
        }
        else if (address.Event == DivertEvent.FlowDeleted)
        {
            End(ends);
        }
    }

    /// <summary>Takes a flow in.</summary>
    public void Add(FlowEnds ends, FlowOwner owner)
    {
        lock (_lock)
        {
            if (_flows.Count >= MaxFlows)
            {
                Forget();
            }

            _flows[ends] = owner;
            _ended.Remove(ends);
        }
    }

    /// <summary>Says that a flow has ended.</summary>
    public void End(FlowEnds ends)
    {
        lock (_lock)
        {
            if (_flows.ContainsKey(ends))
            {
                _ended.Add(ends);
            }
        }
    }

    /// <summary>Looks a flow up.</summary>
    /// <returns>False when it is not known.</returns>
    public bool TryFind(FlowEnds ends, out FlowOwner owner)
    {
        lock (_lock)
        {
            return _flows.TryGetValue(ends, out owner);
        }
    }

    void Forget()
    {
        foreach (FlowEnds ends in _ended)
        {
            _flows.Remove(ends);
        }

        _ended.Clear();
    }
}

/// <summary>A flow as this host sees it.</summary>
readonly record struct FlowEnds(IpProtocol Protocol, Endpoint Local, Endpoint Remote);

/// <summary>The process that has a flow.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name without path and <c>.exe</c>; null when it had gone before it could be asked.</param>
readonly record struct FlowOwner(int Id, string? Name);
