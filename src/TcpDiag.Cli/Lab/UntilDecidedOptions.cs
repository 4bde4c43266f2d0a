using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Linq;
using System.Text.Json;
using TcpDiag.Lab;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Results;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using TcpDiag.Scores.Statistics;

namespace TcpDiag.Cli.Lab;

/// <summary><c>--until-decided</c> of <c>lab run</c> and <c>simulate</c>: iterations until each side of each cell has a verdict against the first.</summary>
sealed class UntilDecidedOptions
{
    const int MaxIterations = 1000;
    const int UsualMaxIterations = 100;

    readonly Option<bool> _untilDecided = new("--until-decided")
    {
        Description = "Iterations until each cell has a verdict on goodput, the first side against the others",
    };

    readonly Option<int?> _maxIterations = new("--max-iterations")
    {
        Description = "With --until-decided: where a cell is left undecided; 100 if not given",
        CustomParser = result => Number.Read<int>(result, "1 to 1000", number => number is >= 1 and <= MaxIterations),
    };

    readonly Option<string?> _margin = new("--margin") { Description = "With --until-decided: differences that do not matter; 5pct if not given" };

    /// <summary>Adds the options to a command.</summary>
    /// <param name="command">The command.</param>
    /// <param name="iterations">Its option that excludes them.</param>
    public void AddTo(Command command, Option iterations)
    {
        Array.ForEach<Option>([_untilDecided, _maxIterations, _margin], command.Add);
        _margin.Validators.Add(result =>
        {
            if (!TryReadMargin(result.GetValueOrDefault<string>(), out _))
            {
                result.AddError($"--margin: expected 0.1pct to 100pct, found '{result.GetValueOrDefault<string>()}'");
            }
        });
        command.Validators.Add(result =>
        {
            bool isAsked = result.GetValue(_untilDecided);
            if (isAsked && result.GetResult(iterations) is { Implicit: false })
            {
                result.AddError("--until-decided: runs as many iterations as it takes; --max-iterations limits them, not --iterations");
            }

            // A value that cannot be read is told by its option.
            _ = result.GetValue(_maxIterations);
            if (!isAsked && TryReadMargin(result.GetValue(_margin), out _)
                && (result.GetResult(_maxIterations) ?? result.GetResult(_margin)) is { Implicit: false } alone)
            {
                result.AddError($"{alone.Option.Name}: goes with --until-decided");
            }
        });
    }

    /// <summary>The rule by which iterations end, and the matrix with their limit.</summary>
    /// <returns>The matrix as it is, and no rule, where they are not asked for.</returns>
    /// <exception cref="LabException">There is nothing to compare.</exception>
    public (LabMatrix Matrix, StoppingRule? Rule) Read(ParseResult parse, LabMatrix matrix, string folder)
    {
        if (!parse.GetValue(_untilDecided))
        {
            return (matrix, null);
        }

        if (matrix.Sides.Count < 2)
        {
            throw new LabException($"--until-decided: the first side is compared with the others, and {matrix.Name} has one side.");
        }

        _ = TryReadMargin(parse.GetValue(_margin), out double margin);
        int questions = matrix.Expand().Count * (matrix.Sides.Count - 1);
        SequentialJudge judge = new(ComparisonSettings.Level, margin, questions);
        StoppingRule rule = new(ComparisonSettings.Level, margin, (run, cell) => Judge(judge, folder, run, cell));
        return (matrix with { Iterations = parse.GetValue(_maxIterations) ?? UsualMaxIterations }, rule);
    }

    // By way of its text, so that a run counts here exactly as it does for compare.
    static IReadOnlyList<SideDecision> Judge(SequentialJudge judge, string folder, LabRunDocument run, string cell)
    {
        IReadOnlyList<RunSet> sides = LabResultReader.ReadText(folder, JsonSerializer.Serialize(run, LabJson.Default.LabRunDocument));
        return [.. judge.Judge(sides, cell).Select(Decision)];
    }

    static SideDecision Decision(SequentialJudgement judgement) => new(
        judgement.Cell,
        judgement.A,
        judgement.B,
        judgement.Verdict switch
        {
            SequentialVerdict.Lower => DecisionVerdict.Regressed,
            SequentialVerdict.Equal => DecisionVerdict.Equal,
            SequentialVerdict.Higher => DecisionVerdict.Improved,
            _ => DecisionVerdict.Open,
        },
        double.IsFinite(judgement.Ratio) ? judgement.Ratio : null,
        judgement.Interval.Low,
        double.IsFinite(judgement.Interval.High) ? judgement.Interval.High : null,
        judgement.Pairs,
        judgement.LeftOut);

    // Without any margin equal sides would never be decided.
    static bool TryReadMargin(string? text, out double margin)
    {
        const double least = 0.001;
        return QuantityText.TryParseShare(text ?? "5pct", out margin) && margin >= least;
    }
}
