using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Cli.Explain;
using TcpDiag.Doctor;
using TcpDiag.Doctor.Answers;
using TcpDiag.Doctor.Changes;
using TcpDiag.Platform;
using TcpDiag.Report;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>Does steps of an answer, measures by pairs of transfers whether that helps, and takes it back unless it does.</summary>
/// <param name="request">The steps, and what is fetched.</param>
/// <param name="sentences">The language.</param>
/// <param name="invocation">Where to write, and the interruption, after which everything is as it was before.</param>
sealed class ChangeTrial(LiveRequest request, Sentences sentences, Invocation invocation)
{
    /// <summary>Does the steps that were asked for.</summary>
    /// <param name="steps">The steps of the answer.</param>
    /// <param name="first">The transfer that was recorded, for how long the others will take.</param>
    /// <returns>The exit code: whether it helps.</returns>
    /// <exception cref="PlatformException">It cannot be done; everything is as it was before.</exception>
    /// <exception cref="OperationCanceledException">It was interrupted; everything is as it was before.</exception>
    public int Run(IReadOnlyList<Remedy> steps, TransferResult first)
    {
        SettingChange[] changes = [.. request.Apply.SelectMany(number => Changes(steps, number))];
        if (!IsAgreed(changes, first))
        {
            Failure.Report(invocation.Error, sentences.Of("apply.refused"));
            return ExitCode.Interrupted;
        }

        using ChangedMachine machine = ChangedMachine.Open(invocation.Surroundings);
        List<JournaledChange> made = [];
        try
        {
            made.AddRange(changes.Select(machine.Changer.Make));
            return Array.Exists(changes, change => change.Setting.NeedsRestart)
                ? Keep(machine.Changer, made, sentences.Of("apply.restart"))
                : Judge(machine.Changer, made);
        }
        finally
        {
            // What stays is no longer among them; a signal must not cut this short.
            invocation.BeginFinishing();
            new ChangeUndo(sentences, invocation).Tell(machine.Changer.UndoAll(change => !change.IsKept, isForced: false), invocation.Error);
            invocation.EndFinishing();
        }
    }

    IReadOnlyList<SettingChange> Changes(IReadOnlyList<Remedy> steps, int number)
    {
        if (number > steps.Count)
        {
            throw new PlatformException(sentences.Of("apply.number", number, steps.Count));
        }

        Remedy step = steps[number - 1];
        return step.Changes.Count > 0 && step.Changes.All(AppliedSettings.Allow) ? step.Changes
            : throw new PlatformException(sentences.Of("apply.cannot", number));
    }

    bool IsAgreed(SettingChange[] changes, TransferResult first)
    {
        foreach (SettingChange change in changes)
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of("apply.will", $"`{change.Command}`"));
        }

        if (!Array.Exists(changes, change => change.Setting.NeedsRestart))
        {
            PlainMarkdown.Write(invocation.Error, sentences.Of("apply.measure", PairedRuns.Count, Duration(first.Time * (2 * PairedRuns.Count))));
        }

        return request.IsAgreed || new Questions(sentences, invocation).IsYes("apply.ask");
    }

    int Judge(SettingChanger changer, List<JournaledChange> made)
    {
        PairedRuns runs = Measure(changer, made);
        object[] figures =
        [
            Duration(runs.Time(isWith: false)), Duration(runs.Time(isWith: true)), Times(runs.Min), Times(runs.Max),
            PairedRuns.Count, runs.Whole(isWith: false), runs.Whole(isWith: true),
        ];
        bool isWhole = runs.Whole(isWith: false) == PairedRuns.Count && runs.Whole(isWith: true) == PairedRuns.Count;
        string verdict = sentences.Of(
            $"apply.{runs.Effect.ToString().ToLowerInvariant()}", sentences.Of(isWhole ? "apply.figures" : "apply.failures", figures));
        if (runs.Effect is ChangeEffect.Faster)
        {
            return Keep(changer, made, verdict);
        }

        PlainMarkdown.Write(invocation.Output, verdict);
        return ExitCode.CheckFailed;
    }

    int Keep(SettingChanger changer, List<JournaledChange> made, string verdict)
    {
        changer.Keep(made);
        PlainMarkdown.Write(invocation.Output, verdict);
        PlainMarkdown.Write(invocation.Output, sentences.Of("apply.kept"));
        foreach (JournaledChange change in made)
        {
            invocation.Output.WriteLine(SafeText.OneLine("  " + change.Change.Undo));
        }

        return ExitCode.Done;
    }

    // With, without; without, with; …: each is as often the first of its pair, and what was set for the last run of a pair stays for the first of the next.
    PairedRuns Measure(SettingChanger changer, List<JournaledChange> made)
    {
        CancellationToken stop = invocation.Interruption;
        List<(MeasuredRun Without, MeasuredRun With)> pairs = [];
        for (int pair = 1; pair <= PairedRuns.Count; pair++)
        {
            bool isWithFirst = pair % 2 == 1;
            MeasuredRun one = Transfer(stop);
            made.ForEach(change => changer.Set(change, isOn: !isWithFirst));
            MeasuredRun other = Transfer(stop);
            pairs.Add(isWithFirst ? (other, one) : (one, other));
            PlainMarkdown.Write(invocation.Error,
                sentences.Of("apply.pair", pair, PairedRuns.Count, Duration(pairs[^1].Without.Time), Duration(pairs[^1].With.Time)));
        }

        return new(pairs);
    }

    MeasuredRun Transfer(CancellationToken stop)
    {
        TransferResult outcome = HttpTraffic.Run(request.Url!, request.UploadBytes, request.Limit, stop);
        stop.ThrowIfCancellationRequested();
        return new(outcome.Bytes, outcome.Time, outcome.End is TransferEnd.Complete);
    }

    static Figure Duration(TimeSpan time) => new(Quantity.Duration((long)time.TotalNanoseconds));

    string Times(double ratio) => ratio.ToString(ratio < 10 ? "0.0#" : "0", sentences.Numbers);
}
