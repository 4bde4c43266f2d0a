using System.Collections.Generic;
using TcpDiag.Analysis.Machines;

namespace TcpDiag.Report;

/// <summary>What is said of the machine that recorded a trace.</summary>
static class MachineText
{
    /// <summary>The lines.</summary>
    /// <param name="machine">What its snapshot tells; null without one.</param>
    /// <returns>One for the machine and one for each setting; none without a snapshot.</returns>
    public static IEnumerable<string> Of(MachineAccount? machine)
    {
        if (machine is null)
        {
            yield break;
        }

        string notes = machine.Notes.Count == 0 ? "no setting that matters is unusual" : "unusual settings:";
        yield return SafeText.OneLine($"Machine: {machine.OperatingSystem}, {notes}");
        foreach (MachineNote note in machine.Notes)
        {
            yield return SafeText.OneLine($"  {note.What}");
        }
    }
}
