using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Lab.Programs;
using TcpDiag.Report;
using TcpDiag.Scores.Bisections;

namespace TcpDiag.Cli.Bisect;

/// <summary>Measures the steps of a search: runs the command, notes each run in the journal before the next, and tells what came of each step.</summary>
/// <param name="file">The journal's file.</param>
/// <param name="journal">The journal.</param>
/// <param name="output">Takes what came of each step.</param>
/// <param name="error">Takes how it goes.</param>
sealed class BisectDriver(BisectFile file, BisectJournal journal, TextWriter output, TextWriter error)
{
    // As for git bisect run.
    const int SkipExitCode = 125;

    // The command itself is wrong, then.
    const int MaxFaultsInSuccession = 3;

    const string ItemVariable = "TCPDIAG_BISECT_ITEM";
    const string SeedVariable = "TCPDIAG_BISECT_SEED";

    readonly LiveLine _line = new(error);
    BisectJournal _journal = journal;
    int _faults;

    /// <summary>Measures until the search is over, or its step is.</summary>
    /// <param name="isOneStep">Whether to measure one step only.</param>
    /// <param name="interruption">Ends it; what was measured is kept.</param>
    /// <returns>The search.</returns>
    /// <exception cref="BisectException">The command fails again and again, or cannot test what it must.</exception>
    public Bisection Run(bool isOneStep, CancellationToken interruption)
    {
        Bisection search = Bisection.Of(_journal);
        string? item = search.Current;
        while (search.Status == BisectStatus.Open && (!isOneStep || string.Equals(search.Current, item, StringComparison.Ordinal)))
        {
            RunOnce(search, interruption);
            Bisection next = Bisection.Of(_journal);
            if (next.Status != BisectStatus.Open || !string.Equals(next.Current, search.Current, StringComparison.Ordinal))
            {
                _line.End();
                BisectText.WriteStep(output, _journal, next.Outcomes[^1]);
                output.Flush();
            }

            search = next;
        }

        BisectText.WriteState(output, _journal, search);
        return search;
    }

    void RunOnce(Bisection search, CancellationToken interruption)
    {
        (string item, long seed) = search.NextRun();
        Show(search, item, seed);
        (int exitCode, string line) = MeasuringCommand.Run(_journal.Command, Variables(item, seed), interruption);
        if (exitCode == SkipExitCode)
        {
            Skip(search, item);
            return;
        }

        BisectRun run = BisectFigure.Read(item, seed, exitCode, line, _journal.Cells);
        Save(_journal.With(search.Current!, run));
        _faults = run.Fault is null ? 0 : _faults + 1;
        if (run.Fault is { } fault)
        {
            _line.End();
            Failure.Report(error, $"{item}, seed {seed}: void: {fault}");
            if (_faults == MaxFaultsInSuccession)
            {
                throw new BisectException($"{_faults} runs void in succession: something is wrong with the command. tcpdiag bisect run goes on from here.");
            }
        }
    }

    void Skip(Bisection search, string item)
    {
        if (search.Ends is null || string.Equals(item, _journal.Items[0], StringComparison.Ordinal))
        {
            throw new BisectException(
                $"{item}: the command says that it cannot be tested (exit code {SkipExitCode}), and without it there is nothing to compare with.");
        }

        Save(_journal.With(item, BisectVerdict.Skip));
    }

    void Save(BisectJournal journal)
    {
        file.Write(journal);
        _journal = journal;
    }

    static IEnumerable<KeyValuePair<string, string>> Variables(string item, long seed) =>
        [new(ItemVariable, item), new(SeedVariable, seed.ToString(CultureInfo.InvariantCulture))];

    void Show(Bisection search, string item, long seed)
    {
        int pairs = search.Outcomes is [.., { IsUnderWay: true, Test: { } test }] ? test.Pairs : 0;
        string text = string.Create(
            CultureInfo.InvariantCulture,
            $"step {search.Outcomes.Count(outcome => !outcome.IsUnderWay) + 1}, {search.Current}, {pairs} pairs: runs {item} with seed {seed}");
        if (_line.IsTerminal)
        {
            _line.Show(SafeText.OneLine(text));
        }
        else
        {
            error.WriteLine(SafeText.OneLine(text));
        }
    }
}
