using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture;

/// <summary>Receives stack events as they are read.</summary>
public interface IStackEventSink
{
    /// <summary>Handles one event.</summary>
    /// <param name="stackEvent">Valid during the call only.</param>
    void Add(StackEvent stackEvent);
}
