using System.Collections.Generic;
using System.IO;
using TcpDiag.Analysis.Findings;
using TcpDiag.Doctor.Changes;
using TcpDiag.Platform;
using TcpDiag.Report;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>Takes back what was changed, and says so.</summary>
/// <param name="sentences">The language.</param>
/// <param name="invocation">Where to write.</param>
sealed class ChangeUndo(Sentences sentences, Invocation invocation)
{
    /// <summary>Takes everything back that the journal holds, the last one first.</summary>
    /// <param name="isForced">Whether values that someone set since are overwritten.</param>
    /// <returns>The exit code.</returns>
    /// <exception cref="PlatformException">The journal is damaged.</exception>
    public int Undo(bool isForced)
    {
        invocation.BeginFinishing();
        using ChangedMachine? machine = ChangedMachine.TryOpenChanged(invocation.Surroundings);
        IReadOnlyList<UndoneChange> undone = machine?.Changer.UndoAll(_ => true, isForced) ?? [];
        if (undone.Count == 0)
        {
            invocation.Output.WriteLine(sentences.Of("undo.none"));
        }

        return Tell(undone, invocation.Output) ? ExitCode.Done : ExitCode.Failed;
    }

    /// <summary>Takes back what was not meant to stay: whatever made the change was interrupted. Says nothing where there is nothing.</summary>
    /// <exception cref="PlatformException">The journal is damaged.</exception>
    public void Recover()
    {
        using ChangedMachine? machine = ChangedMachine.TryOpenChanged(invocation.Surroundings);
        IReadOnlyList<UndoneChange> undone = machine?.Changer.UndoAll(change => !change.IsKept, isForced: false) ?? [];
        if (undone.Count > 0)
        {
            invocation.Error.WriteLine(sentences.Of("undo.interrupted"));
            Tell(undone, invocation.Error);
        }
    }

    /// <summary>Says what became of changes that were to be taken back.</summary>
    /// <param name="undone">The changes.</param>
    /// <param name="output">Where to write what was taken back.</param>
    /// <returns>Whether all were.</returns>
    public bool Tell(IEnumerable<UndoneChange> undone, TextWriter output)
    {
        bool isWhole = true;
        foreach (UndoneChange change in undone)
        {
            bool isRestored = change.Result is UndoResult.Restored;
            isWhole &= isRestored;
            string line = Line(change);
            if (isRestored)
            {
                output.WriteLine(SafeText.OneLine(line));
            }
            else
            {
                Failure.Report(invocation.Error, line);
            }
        }

        return isWhole;
    }

    string Line(UndoneChange undone)
    {
        SettingChange change = undone.Change;
        return undone.Result switch
        {
            UndoResult.Restored => sentences.Of("undo.done", change.Undo),
            UndoResult.ChangedSince => sentences.Of("undo.since", change.Setting.Name, undone.Detail ?? "-", change.Undo),
            _ => sentences.Of("undo.failed", change.Undo, undone.Detail ?? "-"),
        };
    }
}
