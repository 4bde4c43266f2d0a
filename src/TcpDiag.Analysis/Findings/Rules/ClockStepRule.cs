using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Analysis.Findings.Rules;

/// <summary>The recording clock was set while the trace was taken: nothing is told across that.</summary>
static class ClockStepRule
{
    public static Finding? Judge(IReadOnlyList<ClockStep> steps) => steps.Count == 0 ? null : Word(steps);

    static Finding Word(IReadOnlyList<ClockStep> steps) =>
        new FindingDraft(FindingIds.ClockStep)
            .AtLeast(FindingSeverity.Warning)
            .Sure(0.9)
            .Worded(() => steps.Aggregate(Say(steps), static (text, step) =>
                text.Shown($"clock {DirectionOf(step)}", $"{Quantity.Duration(step.Size)}, at packet {step.Packet}")))
            .On(null);

    static FindingText Say(IReadOnlyList<ClockStep> steps) =>
        new FindingText(steps.Count == 1
            ? $"The clock of the recording machine went {DirectionOf(steps[0])} by {Quantity.Duration(steps[0].Size)} at once."
            : InvariantText.Of($"The clock of the recording machine was set {steps.Count} times."))
            .Because($"It was set by hand or by time synchronisation, the machine slept, or files were put together in another order. How much time passed is not known: times are counted on as if none had, and of the time around it it is not judged what limited a sender.")
            .Advise(
                "Synchronise the clock before recording.",
                "Windows: w32tm /query /status.",
                "Linux: chronyc tracking or timedatectl.",
                "Virtual machine: do not suspend or move it while it records.");

    static string DirectionOf(ClockStep step) => step.Jump < 0 ? "back" : "forward";
}
