using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.IO;
using TcpDiag.Scores.Bisections;
using TcpDiag.Scores.Comparisons;

namespace TcpDiag.Cli.Bisect;

/// <summary>The options of <c>tcpdiag bisect start</c>.</summary>
sealed class BisectStartArguments
{
    const int UsualMaxPairs = 60;

    readonly Option<string> _good = new("--good") { HelpName = "ITEM", Required = true, Description = "An item that is good, e.g. a build." };

    readonly Option<string> _bad = new("--bad") { HelpName = "ITEM", Required = true, Description = "One that is bad." };

    readonly Option<string?> _order = new("--order")
    {
        Description = "All items in their order: a file with one a line, or a list with commas; needless for whole numbers",
    };

    readonly Option<string[]> _cells = new("--cell")
    {
        Description = "Of results of the lab these cells only: a name's beginning, or a condition such as \"rtt 25ms\"",
    };

    readonly Option<string> _margin = new("--margin")
    {
        Description = "With no more between good and bad there is nothing to search",
        DefaultValueFactory = _ => "5pct",
    };

    readonly Option<int?> _maxPairs = MaxPairsOption();

    readonly Option<long> _seed = new("--seed")
    {
        Description = "Seed of the first pair of runs; each further pair has the next",
        DefaultValueFactory = _ => 1,
        CustomParser = result => Number.Read<long>(result, "0 to 1000000000000", number => number is >= 0 and <= 1_000_000_000_000),
    };

    readonly Argument<string[]> _command = new("CMD")
    {
        Arity = ArgumentArity.ZeroOrMore,
        Description = "What measures an item; its last line is a figure or a result directory",
    };

    /// <summary>Pairs of a step.</summary>
    public static Option<int?> MaxPairsOption() => new("--max-pairs")
    {
        Description = "Pairs of runs after which a step is left undecided; 60 if not given",
        CustomParser = result => Number.Read<int>(result, "1 to 1000", number => number is >= 1 and <= BisectJournal.PairsLimit),
    };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_command);
        Array.ForEach<Option>([_good, _bad, _order, _cells, _margin, _maxPairs, _seed], command.Add);
        _margin.Validators.Add(result =>
        {
            if (!QuantityText.TryParseShare(result.GetValueOrDefault<string>(), out double margin) || margin == 0)
            {
                result.AddError($"--margin: expected more than 0pct, at most 100pct; found '{result.GetValueOrDefault<string>()}'");
            }
        });
        command.Validators.Add(CheckItems);
    }

    /// <summary>A journal of what is asked for.</summary>
    public BisectJournal Read(ParseResult parse)
    {
        _ = QuantityText.TryParseShare(parse.GetValue(_margin)!, out double margin);
        return new BisectJournal(
            BisectJournal.CurrentSchema,
            BisectItems.Read(parse.GetValue(_good)!, parse.GetValue(_bad)!, parse.GetValue(_order)),
            parse.GetValue(_command) ?? [],
            parse.GetValue(_cells) ?? [],
            ComparisonSettings.Level,
            margin,
            parse.GetValue(_maxPairs) ?? UsualMaxPairs,
            parse.GetValue(_seed),
            []);
    }

    void CheckItems(CommandResult result)
    {
        if (result.GetValue(_good) is { } good && result.GetValue(_bad) is { } bad)
        {
            try
            {
                _ = BisectItems.Read(good, bad, result.GetValue(_order));
            }
            catch (Exception wrong) when (wrong is BisectException or IOException or UnauthorizedAccessException)
            {
                result.AddError(wrong.Message);
            }
        }
    }
}
