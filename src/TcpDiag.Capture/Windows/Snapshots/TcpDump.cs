using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Sessions;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Windows.Snapshots;

/// <summary>
/// The settings of TCP as netsh writes them to be set again: commands such as <c>set global hystart=enabled prr=enabled pacingprofile=off</c>, the same in every language. Among them
/// are those that no CIM class tells. What this Windows does not know is not there.
/// </summary>
static class TcpDump
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    /// <summary>The command that writes them.</summary>
    public static ProgramCall Call { get; } = ProgramCall.Of("netsh", "interface", "tcp", "dump");

    /// <summary>Reads the facts.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="cancel">Ends netsh.</param>
    /// <returns>The facts; their subject is what is set, e.g. global.</returns>
    /// <exception cref="CaptureException">netsh does not tell.</exception>
    public static IEnumerable<SnapshotFact> Read(ICaptureMachine machine, CancellationToken cancel)
    {
        cancel.ThrowIfCancellationRequested(); // before there is anything to end
        ProgramResult result = machine.Run(Call, Limit, _ => cancel.ThrowIfCancellationRequested());
        return result.Succeeded
            ? result.Output.Split('\n').SelectMany(line => Facts(line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)))
            : throw new CaptureException($"`{Call}` ended with {result.Describe()}");
    }

    static IEnumerable<SnapshotFact> Facts(string[] words)
    {
        if (words is not ["set", var subject, .. var settings])
        {
            yield break;
        }

        foreach (string[] setting in settings.Select(word => word.Split('=', 2)))
        {
            if (setting is [var name, var value])
            {
                yield return new(subject, name, value);
            }
        }
    }
}
