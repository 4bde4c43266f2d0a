using System;
using System.Collections.Generic;
using System.Text.RegularExpressions;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// Who records: we, somebody else, or nobody. Told by the machine's sessions and the files they write. Where the machine does
/// not tell them, by the path of a trace in what the status command prints: all other words there are translated.
/// </summary>
/// <param name="Ours">The session that writes our trace; null when there is none.</param>
/// <param name="Foreign">Another session that stands in our way, named by what it writes; null when there is none.</param>
sealed partial record SessionProbe(EtwSession? Ours, EtwSession? Foreign)
{
    static readonly TimeSpan StatusLimit = TimeSpan.FromSeconds(30);

    /// <summary>Asks the machine.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="engine">What records.</param>
    /// <param name="traceFile">Full path of our trace.</param>
    /// <returns>The answer.</returns>
    public static SessionProbe Take(ICaptureMachine machine, CaptureEngine engine, string traceFile)
    {
        EtwSession? ours = null;
        EtwSession? foreign = null;
        foreach (EtwSession session in machine.Sessions() ?? FromStatus(machine, engine))
        {
            if (TracePieces.AreOf(session.LogFile, traceFile))
            {
                ours = session;
            }
            else if (engine.Competes(session.Name))
            {
                foreign = session;
            }
        }

        return new(ours, foreign);
    }

    static IEnumerable<EtwSession> FromStatus(ICaptureMachine machine, CaptureEngine engine)
    {
        if (engine.Status is not { } status)
        {
            yield break;
        }

        foreach (Match path in TracePath().Matches(machine.Run(status, StatusLimit).Output))
        {
            yield return new(engine.Name, path.Value, null, null, null);
        }
    }

    // A drive or a root, then anything up to the last .etl of the line.
    [GeneratedRegex(@"([A-Za-z]:\\|/)[^\r\n""<>|*?]*\.etl\b", RegexOptions.IgnoreCase | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex TracePath();
}
