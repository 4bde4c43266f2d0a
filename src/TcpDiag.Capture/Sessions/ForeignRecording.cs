using System;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// Somebody else's recording, or what he has set for one: refused or taken over before anything on the machine is changed. Afterwards nothing of the engine's kind runs.
/// </summary>
/// <param name="machine">The machine.</param>
/// <param name="engine">What is to record.</param>
/// <param name="progress">Is told what is stopped.</param>
sealed class ForeignRecording(ICaptureMachine machine, CaptureEngine engine, ICaptureProgress progress)
{
    const string MayBelong = "may belong to another person or to a security program";

    /// <summary>Looks for it.</summary>
    /// <param name="takeOver">Whether it is stopped; otherwise it is a reason not to record.</param>
    /// <exception cref="CaptureException">It is there and not to be stopped, or cannot be.</exception>
    public void Remove(bool takeOver)
    {
        if (Session() is { } foreign)
        {
            Stop(foreign.Name, foreign.LogFile.Length == 0 ? foreign.Name : $"{foreign.Name} to {foreign.LogFile}", () => Session() is not null, takeOver);
        }

        OtherUse? use = engine.FindOtherUse(machine);
        if (use is { Runs: true } running)
        {
            Stop(engine.Name, running.What, () => (use = engine.FindOtherUse(machine)) is { Runs: true }, takeOver);
        }

        if (use is not null)
        {
            LoseSettings(use.What, takeOver);
        }
    }

    EtwSession? Session() => SessionProbe.Take(machine, engine, string.Empty).Foreign;

    void Stop(string name, string what, Func<bool> stillRuns, bool takeOver)
    {
        if (!takeOver)
        {
            throw new CaptureException(
                $"another recording runs ({what}), and {engine.Name} has room for one. It {MayBelong}. Stop it where it was started, or with --take-over if it may be lost.");
        }

        progress.Tell($"stopping the recording that runs ({what}), as --take-over asks");
        string? failure = engine.Stop(machine, name, progress.Stopping);
        if (stillRuns())
        {
            throw new CaptureException($"the recording that runs ({what}) could not be stopped{(failure is null ? string.Empty : $": {failure}")}.");
        }
    }

    // The first command of a start removes them.
    void LoseSettings(string what, bool takeOver)
    {
        if (!takeOver)
        {
            throw new CaptureException($"{what}, and {engine.Name} has one list for all. They {MayBelong}. Record with --engine netsh, or with --take-over if they may be lost.");
        }

        progress.Tell($"{what}: they are removed, as --take-over asks");
    }
}
