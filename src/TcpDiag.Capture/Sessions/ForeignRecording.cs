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
    /// <summary>Why it is left alone.</summary>
    public const string MayBelong = "may belong to another person or to a security program";

    /// <summary>Looks for it, and changes nothing.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="engine">What is to record.</param>
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
            // E.g. a Windows from which the program was taken away.
            return exception.Message.TrimEnd('.');
        }
    }

    /// <summary>Looks for it.</summary>
    /// <param name="takeOver">Whether it is stopped; otherwise it is a reason not to record.</param>
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

        progress.Tell($"stopping the recording that runs ({what}), as --take-over asks");
        string? failure = engine.Stop(machine, name, progress.Stopping);
        if (stillRuns())
        {
            throw new CaptureException($"the recording that runs ({what}) could not be stopped{(failure is null ? string.Empty : $": {failure}")}.");
        }
    }

    // The first command of a start removes them. What a program prints of them is translated and cut to its columns: that is for people to set them again, not for us.
    string LoseSettings(OtherUse use, bool takeOver)
    {
        if (!takeOver)
        {
            throw new CaptureException($"{use.What}, and {engine.Name} has one list for all. They {MayBelong}. Record with --engine netsh, or with --take-over if they may be lost.");
        }

        string lost = $"{use.What}: they are removed, as --take-over asks, and not put back{(use.Settings.Count == 0 ? string.Empty : ": ")}{string.Join("; ", use.Settings)}";
        progress.Tell(lost);
        return lost;
    }
}
