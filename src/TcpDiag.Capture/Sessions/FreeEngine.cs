using System;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// Which of two engines records, where either will do: the first, unless somebody else uses what the machine has one of; then the second, unless that is in use too. Looks only, and changes nothing.
/// </summary>
/// <param name="Engine">The engine; the first where neither can.</param>
/// <param name="Instead">Why the second records, a sentence; null where the first does.</param>
/// <param name="Refusal">Why none can, a sentence; null where one can.</param>
public sealed record FreeEngine(CaptureEngine Engine, string? Instead, string? Refusal)
{
    /// <summary>Looks.</summary>
    /// <param name="machine">The machine; the process has the rights to record.</param>
    /// <param name="first">What is to record.</param>
    /// <param name="second">What else may; null for nothing.</param>
    /// <returns>What can.</returns>
    public static FreeEngine Find(ICaptureMachine machine, CaptureEngine first, CaptureEngine? second)
    {
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(first);
        return ForeignRecording.Find(machine, first) is not { } taken ? new(first, null, null)
            : second is null ? new(first, null, $"{taken}. It {ForeignRecording.MayBelong}. Stop it where it was started, or with --take-over if it may be lost.")
            : ForeignRecording.Find(machine, second) is not { } takenToo ? new(second, $"{taken}: {second.Name} records instead of {first.Name}", null)
            : new(first, null, $"{taken}, and for {second.Name} {takenToo}. They {ForeignRecording.MayBelong}. Stop one where it was started, or with --take-over that of {first.Name} if it may be lost.");
    }
}
