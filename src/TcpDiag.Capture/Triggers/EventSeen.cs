using System;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture.Triggers;

/// <summary><c>event 1351</c>, an event of Microsoft-Windows-TCPIP by its id, or <c>event tcp_retransmit_skb</c>, a tracepoint of Linux.</summary>
/// <param name="Name">The id in digits, or the tracepoint's name.</param>
public sealed record EventSeen(string Name) : TriggerCondition
{
    /// <summary>Whether it is meant for Windows.</summary>
    public bool IsOfWindows => char.IsAsciiDigit(Name[0]);

    /// <inheritdoc/>
    public override string ToString() => $"event {Name}";

    /// <inheritdoc/>
    private protected override TriggerProbe CreateProbe() => new EventProbe(ToString(), IsMeant);

    // Sources are written Microsoft-Windows-TCPIP/1351 v0 and tcp:tcp_retransmit_skb.
    bool IsMeant(StackEvent stackEvent)
    {
        ReadOnlySpan<char> source = stackEvent.Source;
        ReadOnlySpan<char> own = IsOfWindows ? source[(source.IndexOf('/') + 1)..] : source[(source.IndexOf(':') + 1)..];
        bool isProvider = !IsOfWindows || source.StartsWith(WindowsProvider, StringComparison.Ordinal);
        return isProvider && own.StartsWith(Name, StringComparison.Ordinal) && (own.Length == Name.Length || own[Name.Length] == ' ');
    }

    const string WindowsProvider = "Microsoft-Windows-TCPIP/";
}
