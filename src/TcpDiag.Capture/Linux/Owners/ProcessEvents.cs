using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture.Linux.Owners;

/// <summary>Hands on the events of connections whose process is asked for, as far as it is known when they happen.</summary>
/// <param name="filter">Decides.</param>
/// <param name="next">Takes them.</param>
sealed class ProcessEvents(ProcessFilter filter, IStackEventSink next) : IStackEventSink
{
    /// <inheritdoc/>
    public void Add(StackEvent stackEvent)
    {
        if (stackEvent is not { Local: { } local, Remote: { } remote } || filter.Includes(local, remote))
        {
            next.Add(stackEvent);
        }
    }
}
