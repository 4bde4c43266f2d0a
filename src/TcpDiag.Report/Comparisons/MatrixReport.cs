using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.RegularExpressions;
using Spectre.Console;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Comparisons;

namespace TcpDiag.Report.Comparisons;

/// <summary>The text form of a matrix: the builds with a letter each, then the conditions as rows, six builds at a time: 80 columns.</summary>
public static class MatrixReport
{
    const int LabelWidth = 24;
    const int BuildsAtOnce = 6;
    const int PublishedWidth = 11; // of the column beside them, for which one build less has room

    /// <summary>Writes the report.</summary>
    public static void Write(IAnsiConsole console, BuildMatrix matrix)
    {
        ArgumentNullException.ThrowIfNull(matrix);
        ConditionLabels labels = new([.. matrix.Rows.Select(row => row.Base)]);
        WriteBuilds(console, matrix);
        if (labels.Common.Length > 0)
        {
            PlainLines.Wrap(console, "in common: ", labels.Common);
        }

        bool hasPublished = MatrixWords.HasPublished(matrix);
        int atOnce = BuildsAtOnce - (hasPublished ? 2 : 0);
        for (int from = 0; from < matrix.Builds.Count; from += atOnce)
        {
            WriteBlock(console, matrix, labels, from, Math.Min(from + atOnce, matrix.Builds.Count));
        }

        WriteLeftOut(console, matrix, labels);
        PlainLines.Write(console, string.Empty);
        PlainLines.Wrap(console, string.Empty, MatrixWords.Conclusion(matrix));
        PlainLines.Wrap(console, string.Empty, MatrixWords.Legend(matrix, "A"));
    }

    static void WriteBuilds(IAnsiConsole console, BuildMatrix matrix)
    {
        foreach ((MatrixBuild build, int index) in matrix.Builds.Prepend(matrix.Base).Select((build, index) => (build, index)))
        {
            PlainLines.Wrap(console, $"{MatrixWords.Letter(index),-3}", $"{build.Name}: {ComparisonWords.Describe(build.Set)}");
        }
    }

    static void WriteBlock(IAnsiConsole console, BuildMatrix matrix, ConditionLabels labels, int from, int to)
    {
        IEnumerable<int> columns = Enumerable.Range(from, to - from);
        PlainLines.Write(console, string.Empty);
        string letters = string.Concat(columns.Select(column => $"{MatrixWords.Letter(column + 1) + " ",8}"))
            + (MatrixWords.HasPublished(matrix) ? $"{"published",PublishedWidth}" : string.Empty);
        PlainLines.Write(console, $"{ComparisonWords.Heading(matrix.Settings.Metric),-LabelWidth}{"A",8}{letters}".TrimEnd());
        foreach (MatrixRow row in matrix.Rows)
        {
            string figures = string.Concat(columns.Select(column => $"{MatrixWords.Cell(row.Cells[column]?.Judgement),8}"))
                + (MatrixWords.Published(matrix, row) is { } published ? $"{published,PublishedWidth}" : string.Empty);
            WriteRow(console, labels.Of(row.Base), $"{ComparisonWords.Figure(matrix.Settings.Metric, row.Median),8}{figures}");
        }

        if (matrix.Rows.Count > 1)
        {
            string overall = string.Concat(columns.Select(column => $"{MatrixWords.Cell(matrix.Builds[column].Overall),8}"));
            WriteRow(console, "overall", $"{string.Empty,8}{overall}");
        }
    }

    static void WriteRow(IAnsiConsole console, string label, string figures)
    {
        label = SafeText.OneLine(label);
        if (label.Length > LabelWidth)
        {
            PlainLines.Wrap(console, string.Empty, label);
            label = string.Empty;
        }

        PlainLines.Write(console, label.PadRight(LabelWidth) + figures);
    }

    static void WriteLeftOut(IAnsiConsole console, BuildMatrix matrix, ConditionLabels labels)
    {
        (int Build, LeftOutCell Cell)[] left = [.. MatrixWords.LeftOut(matrix)];
        if (left.Length == 0)
        {
            return;
        }

        PlainLines.Write(console, string.Empty);
        PlainLines.Write(console, "Left out:");
        foreach (var group in left.GroupBy(one => (one.Build, one.Cell.IsOfA, one.Cell.Reason)))
        {
            (int build, bool isOfBase, string reason) = group.Key;
            string[] cells = [.. group.Select(one => labels.Of(one.Cell.Cell))];
            string what = cells is [string only] ? only : Quantity.Count(cells.Length, "cell");
            (int of, int beside) = isOfBase ? (0, build + 1) : (build + 1, 0);
            PlainLines.Wrap(console, $"  {MatrixWords.Letter(of),-3}", $"{what}, beside {MatrixWords.Letter(beside)}: {MatrixWords.Reason(reason, build)}");
        }
    }
}

/// <summary>The words and signs of a matrix, the same in every form of its report.</summary>
static partial class MatrixWords
{
    const int LettersOfTheAlphabet = 26;

    /// <summary>The letter of a build: A is the base; after Z comes AA.</summary>
    public static string Letter(int index) => index < LettersOfTheAlphabet
        ? ((char)('A' + index)).ToString()
        : Letter((index / LettersOfTheAlphabet) - 1) + Letter(index % LettersOfTheAlphabet);

    /// <summary>What was published for conditions of the matrix; null without it.</summary>
    public static string? Published(BuildMatrix matrix, MatrixRow row) => PublishedRatios.Of(matrix.Settings.Metric, row.Base);

    /// <summary>Whether anything was, for any of its conditions.</summary>
    public static bool HasPublished(BuildMatrix matrix) => matrix.Rows.Any(row => Published(matrix, row) is not null);

    /// <summary>A ratio to the base with the sign of its verdict.</summary>
    public static string Cell(Judgement? judgement) => judgement is null ? "- " : ComparisonWords.Ratio(judgement.Ratio) + Sign(judgement.Verdict);

    /// <summary>What was not compared, with the build that it was to be compared in; what the base alone lacks or has counts once for each.</summary>
    public static IEnumerable<(int Build, LeftOutCell Cell)> LeftOut(BuildMatrix matrix) =>
        matrix.Builds.SelectMany((build, index) => build.LeftOut.Select(cell => (index, cell)));

    /// <summary>What the matrix says, in a sentence.</summary>
    public static string Conclusion(BuildMatrix matrix)
    {
        Verdict[] verdicts = [.. matrix.Rows.SelectMany(row => row.Cells).OfType<CellComparison>().Select(cell => cell.Judgement.Verdict)];
        string[] worse = [.. matrix.Builds.Where((build, index) => Has(matrix, index, Verdict.Regressed)).Select(build => build.Name)];
        string[] better = [.. matrix.Builds.Where((build, index) => Has(matrix, index, Verdict.Improved)).Select(build => build.Name)];
        string counts = string.Join(", ", verdicts.GroupBy(verdict => verdict).OrderBy(group => group.Key)
            .Select(group => $"{group.Count().ToString(CultureInfo.InvariantCulture)} {ComparisonWords.Name(group.Key)}"));
        string cells = Quantity.Count(verdicts.Length, "cell");
        string regressed = worse.Length == 0 ? $"No build regressed beside {matrix.Base.Name}"
            : $"Regressed beside {matrix.Base.Name}: {string.Join(", ", worse)}";
        string improved = better.Length == 0 ? string.Empty : $" Improved: {string.Join(", ", better)}.";
        return $"{regressed}.{improved} {cells}: {counts}.{Hopeless(matrix)}";
    }

    /// <summary>A reason with the names of the two builds in place of their letters.</summary>
    public static string Named(string reason, BuildMatrix matrix, int build) =>
        LetterAOrB().Replace(reason, letter => letter.Value is "A" ? matrix.Base.Name : matrix.Builds[build].Name);

    // In any cell, or over all.
    static bool Has(BuildMatrix matrix, int build, Verdict verdict) => matrix.Builds[build].Overall?.Verdict == verdict
        || matrix.Rows.Any(row => row.Cells[build]?.Judgement.Verdict == verdict);

    // What most of the undecided cells lack, where that is runs.
    static string Hopeless(BuildMatrix matrix)
    {
        string? reason = matrix.Rows.SelectMany(row => row.Cells).Select(cell => cell?.Judgement.Reason)
            .Where(reason => reason?.Contains(" cannot settle ", StringComparison.Ordinal) is true)
            .GroupBy(reason => reason, StringComparer.Ordinal).MaxBy(group => group.Count())?.Key;
        return reason is null ? string.Empty : $" {reason}.";
    }

    /// <summary>A reason, with the letter that the build has here: where two are compared, it is B.</summary>
    public static string Reason(string reason, int build) =>
        LetterB().Replace(reason, Letter(build + 1));

    /// <summary>What the signs mean, and on what terms.</summary>
    /// <param name="matrix">The matrix.</param>
    /// <param name="baseName">What the base is called there.</param>
    public static string Legend(BuildMatrix matrix, string baseName)
    {
        string signs = matrix.Settings.Metric.Better is TcpDiag.Scores.RunSets.Better.Neither ? "> more, < less" : "+ improved, - regressed";
        string margin = (matrix.Settings.Margin * 100).ToString("0.##", CultureInfo.InvariantCulture);
        return $"Ratios to {baseName}: {signs}, = equal, ? not enough evidence. Margin {margin} %; the chance that a matrix without any difference has one "
            + $"is at most 5 %."
            + (HasPublished(matrix) ? $" {PublishedRatios.Source}" : string.Empty);
    }

    [GeneratedRegex(@"\b[AB]\b", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex LetterAOrB();

    [GeneratedRegex(@"\bB\b", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex LetterB();

    static string Sign(Verdict verdict) => verdict switch
    {
        Verdict.Improved => "+",
        Verdict.Regressed => "-",
        Verdict.Equal => "=",
        Verdict.More => ">",
        Verdict.Less => "<",
        _ => "?",
    };
}
