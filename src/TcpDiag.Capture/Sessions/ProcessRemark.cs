using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Sessions;

/// <summary>What is said where a match names a process: no engine of Windows can tell packets of one process from those of another while it records.</summary>
public static class ProcessRemark
{
    const string Text = "no engine filters by process: what others send and receive is recorded too; `tcpdiag convert IN OUT --process NAME` keeps the connections of one, by the events";

    /// <summary>The remark.</summary>
    /// <param name="match">What was asked for.</param>
    /// <returns>A sentence; null where no process is named.</returns>
    public static string? For(MatchRule match) => match.NamesProcess ? Text : null;
}
