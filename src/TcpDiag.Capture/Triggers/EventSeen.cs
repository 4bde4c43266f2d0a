using System;
using System.Linq;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture.Triggers;

/// <summary><c>event 1351</c>, an event of Microsoft-Windows-TCPIP by its id, or <c>event tcp_retransmit_skb</c>, a tracepoint of Linux.</summary>
/// <param name="Name">The id in digits, or the tracepoint's name.</param>
public sealed record EventSeen(string Name) : TriggerCondition
{
    /// <summary>Whether it is meant for Windows.</summary>
    public bool IsOfWindows => char.IsAsciiDigit(Name[0]);

    /// <summary>Whether a recorder meets such events at all.</summary>
    /// <param name="onWindows">Whether it records on Windows.</param>
    /// <returns>Why not, a sentence; null when it does.</returns>
    public string? WhyNotRecorded(bool onWindows)
    {
        if (onWindows)
        {
            return IsOfWindows ? null : $"--until {this}: not recorded here. Windows numbers its events, e.g. event 1351.";
        }

        return Tracepoint.Recorded.Any(tracepoint => string.Equals(tracepoint.Name, Name, StringComparison.Ordinal))
            ? null
            : $"--until {this}: not recorded here. On Linux these are: {string.Join(", ", Tracepoint.Recorded.Select(tracepoint => tracepoint.Name))}.";
    }

    /// <inheritdoc/>
    public override string ToString() => $"event {Name}";

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

/// <summary><c>reset</c>: a connection is reset, by either end.</summary>
public sealed record ResetSeen : TriggerCondition
{
    /// <inheritdoc/>
    public override string ToString() => "reset";

    private protected override TriggerProbe CreateProbe() => new EventProbe("reset", stackEvent => stackEvent.Kind == StackEventKind.Reset);
}

/// <summary>Waits for an event.</summary>
sealed class EventProbe(string name, Func<StackEvent, bool> isMeant) : TriggerProbe
{
    public override string? OnEvent(StackEvent stackEvent, ConnectionEnds? connection) =>
        isMeant(stackEvent) ? connection is { } ends ? $"{name} of {ends} ({stackEvent.Source})" : $"{name} ({stackEvent.Source})" : null;
}
