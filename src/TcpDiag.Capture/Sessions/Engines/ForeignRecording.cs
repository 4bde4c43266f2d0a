using System;

namespace TcpDiag.Capture.Sessions.Engines;

/// <summary>
/// Someone else's recording, or settings for one: refused or taken over before anything on the machine is changed. Afterwards nothing of the engine's
/// kind runs.
/// </summary>
sealed class ForeignRecording(ICaptureMachine machine, CaptureEngine engine, ICaptureProgress progress)
{
    public const string MayBelong = "may belong to another person or to a security program";

    /// <summary>Looks for a conflicting recording, and changes nothing.</summary>
    /// <returns>What is in the way, a clause; null when nothing is.</returns>
    public static string? Find(ICaptureMachine machine, CaptureEngine engine)
    {
        try
        {
            return Session(machine, engine) is { } foreign ? Running(Describe(foreign))
                : engine.FindOtherUse(machine) is { } use ? use.Runs ? Running(use.What) : use.What
                : null;
        }
        catch (CaptureException exception)
        {
            // E.g. a Windows without the program.
            return exception.Message.TrimEnd('.');
        }
    }

    /// <summary>Looks for a conflicting recording, and stops it or refuses.</summary>
    /// <returns>What was lost and stays lost, a sentence; null for nothing but a recording.</returns>
    /// <exception cref="CaptureException">It is there and not to be stopped, or cannot be.</exception>
    public string? Remove(bool takeOver)
    {
        if (Session() is { } foreign)
        {
            Stop(foreign.Name, Describe(foreign), () => Session() is not null, takeOver);
        }

        OtherUse? use = engine.FindOtherUse(machine);
        if (use is { Runs: true } running)
        {
            Stop(engine.Name, running.What, () => (use = engine.FindOtherUse(machine)) is { Runs: true }, takeOver);
        }

        return use is null ? null : LoseSettings(use, takeOver);
    }

    EtwSession? Session() => Session(machine, engine);

    static EtwSession? Session(ICaptureMachine machine, CaptureEngine engine) => SessionProbe.Take(machine, engine, string.Empty).Foreign;

    static string Describe(EtwSession foreign) => foreign.LogFile.Length == 0 ? foreign.Name : $"{foreign.Name} to {foreign.LogFile}";

    static string Running(string what) => $"another recording runs ({what})";

    void Stop(string name, string what, Func<bool> stillRuns, bool takeOver)
    {
        if (!takeOver)
        {
            throw new CaptureException(
                $"{Running(what)}, and {engine.Name} has room for one. It {MayBelong}. Stop it where it was started, or with --take-over if it may be lost.");
        }

        progress.Report($"stopping the recording that runs ({what}), as --take-over asks");
        string? failure = engine.Stop(machine, name, progress.Stopping);
        if (stillRuns())
        {
            throw new CaptureException($"the recording that runs ({what}) could not be stopped{(failure is null ? string.Empty : $": {failure}")}.");
        }
    }

    // The first start command removes them. What the program prints about them is translated and truncated: enough for people to restore them, not for us.
    string LoseSettings(OtherUse use, bool takeOver)
    {
        if (!takeOver)
        {
            throw new CaptureException($"{use.What}, and {engine.Name} has one list for all. They {MayBelong}. Record with --engine netsh, or with "
                + "--take-over if they may be lost.");
        }

        string lost = $"{use.What}: they are removed, as --take-over asks, and not put back"
            + $"{(use.Settings.Count == 0 ? string.Empty : ": ")}{string.Join("; ", use.Settings)}";
        progress.Report(lost);
        return lost;
    }
}

/// <summary>
/// Which of two engines records, where either will do: the first unless it is in use, then the second unless that is in use too. Changes nothing.
/// </summary>
/// <param name="Engine">The engine; the first where neither can.</param>
/// <param name="Instead">Why the second records, a sentence; null where the first does.</param>
/// <param name="Refusal">Why none can, a sentence; null where one can.</param>
public sealed record FreeEngine(CaptureEngine Engine, string? Instead, string? Refusal)
{
    /// <summary>Chooses the engine.</summary>
    /// <param name="machine">The machine; the process has the rights to record.</param>
    /// <param name="first">What is to record.</param>
    /// <param name="second">What else may; null for nothing.</param>
    /// <returns>What can.</returns>
    public static FreeEngine Find(ICaptureMachine machine, CaptureEngine first, CaptureEngine? second)
    {
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(first);
        return ForeignRecording.Find(machine, first) is not { } taken ? new(first, null, null)
            : second is null ? new(first, null, $"{taken}. It {ForeignRecording.MayBelong}. "
                + "Stop it where it was started, or with --take-over if it may be lost.")
            : ForeignRecording.Find(machine, second) is not { } takenToo ? new(second, $"{taken}: {second.Name} records instead of {first.Name}", null)
            : new(first, null, $"{taken}, and for {second.Name} {takenToo}. They {ForeignRecording.MayBelong}. Stop one where it was started, or with "
                + $"--take-over that of {first.Name} if it may be lost.");
    }
}
