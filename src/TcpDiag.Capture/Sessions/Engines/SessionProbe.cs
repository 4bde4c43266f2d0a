using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.Triggers;

namespace TcpDiag.Capture.Sessions.Engines;

/// <summary>
/// Who records: we, someone else, or nobody. Known from the machine's sessions and the files they write. Where the machine does
/// not list them, from the path of a trace in what the status command prints: all other words there are translated.
/// </summary>
/// <param name="Ours">The session that writes our trace; null when there is none.</param>
/// <param name="Foreign">Another session that conflicts, named by what it writes; null when there is none.</param>
sealed partial record SessionProbe(EtwSession? Ours, EtwSession? Foreign)
{
    static readonly TimeSpan StatusLimit = TimeSpan.FromSeconds(30);

    /// <summary>Asks the machine.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="engine">What records.</param>
    /// <param name="traceFile">Full path of our trace.</param>
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

/// <summary>Real-time sessions whose process has gone. They have neither file nor journal, only a name with the process id.</summary>
static class OrphanSessions
{
    const string Prefix = EtwSession.LivePrefix;

    /// <summary>Stops them. One that cannot be stopped is left.</summary>
    public static void Stop(ICaptureMachine machine)
    {
        foreach (EtwSession session in (machine.Sessions() ?? []).Where(session => session.Name.StartsWith(Prefix, StringComparison.Ordinal)))
        {
            if (int.TryParse(session.Name.AsSpan(Prefix.Length), NumberStyles.None, CultureInfo.InvariantCulture, out int process)
                && !ProcessList.Read().ContainsKey(process))
            {
                _ = machine.StopSession(session.Name);
            }
        }
    }
}
