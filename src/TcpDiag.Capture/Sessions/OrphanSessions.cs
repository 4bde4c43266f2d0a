using System;
using System.Globalization;
using System.Linq;
using TcpDiag.Capture.Triggers;

namespace TcpDiag.Capture.Sessions;

/// <summary>Real-time sessions whose process has gone. They have neither file nor journal: the name tells whose they were.</summary>
static class OrphanSessions
{
    const string Prefix = EtwSession.LivePrefix;

    /// <summary>Stops them. One that cannot be stopped is left.</summary>
    /// <param name="machine">The machine.</param>
    public static void Stop(ICaptureMachine machine)
    {
        foreach (EtwSession session in (machine.Sessions() ?? []).Where(session => session.Name.StartsWith(Prefix, StringComparison.Ordinal)))
        {
            if (int.TryParse(session.Name.AsSpan(Prefix.Length), NumberStyles.None, CultureInfo.InvariantCulture, out int process) && !ProcessList.Read().ContainsKey(process))
            {
                _ = machine.StopSession(session.Name);
            }
        }
    }
}
