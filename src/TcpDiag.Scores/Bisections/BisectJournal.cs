using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json.Serialization;

namespace TcpDiag.Scores.Bisections;

/// <summary>
/// Everything a search for the first bad item knows (docs/schemas/bisect.json): what was asked for, and every run and verdict in their order. Where it stands
/// is worked out from it (<see cref="Bisection"/>), so that it can be resumed after any run. Nothing in it depends on when it was written.
/// </summary>
/// <param name="Schema">Always <c>tcpdiag/bisect/1</c>.</param>
/// <param name="Items">What is searched, from the good end to the bad; at least two.</param>
/// <param name="Command">What measures an item; empty where verdicts are given by hand.</param>
/// <param name="Cells">Cells that are read where the command leaves results of the lab; empty for all.</param>
/// <param name="Error">Chance that the whole search ends wrongly.</param>
/// <param name="Margin">Differences that do not matter: with no more between the ends there is nothing to search.</param>
/// <param name="MaxPairs">Pairs of runs after which a step is left undecided.</param>
/// <param name="Seed">Seed of the first pair; each further pair has the next.</param>
/// <param name="Steps">What was done.</param>
public sealed record BisectJournal(
    string Schema,
    IReadOnlyList<string> Items,
    IReadOnlyList<string> Command,
    IReadOnlyList<string> Cells,
    double Error,
    double Margin,
    int MaxPairs,
    long Seed,
    IReadOnlyList<BisectStep> Steps)
{
    /// <summary>The only schema there is.</summary>
    public const string CurrentSchema = "tcpdiag/bisect/1";

    /// <summary>Most items of a search.</summary>
    public const int MaxItems = 10_000;

    /// <summary>Most pairs of a step.</summary>
    public const int PairsLimit = 1000;

    // Whole numbers that every reader of JSON keeps.
    const long MaxSeed = (1L << 53) - 1;

    const int MaxItemCharacters = 200;

    /// <summary>Whether a text can name an item: it is passed on as a variable of the environment, and printed.</summary>
    /// <param name="item">The text.</param>
    /// <returns>False when it is empty, too long, or has characters that nobody sees.</returns>
    public static bool IsItem(string item) => item.Length is > 0 and <= MaxItemCharacters && !item.Any(char.IsControl);

    /// <summary>The journal with a run more: of the step under way, or of a new one.</summary>
    /// <param name="item">The item under test.</param>
    /// <param name="run">The run.</param>
    /// <returns>The new journal.</returns>
    public BisectJournal With(string item, BisectRun run) => IsUnderWay(item)
        ? this with { Steps = [.. Steps.SkipLast(1), Steps[^1] with { Runs = [.. Steps[^1].Runs, run] }] }
        : this with { Steps = [.. Steps, new BisectStep(item, null, [run])] };

    /// <summary>The journal with a verdict that was given.</summary>
    /// <param name="item">The item.</param>
    /// <param name="verdict">The verdict.</param>
    /// <returns>The new journal.</returns>
    public BisectJournal With(string item, BisectVerdict verdict) => IsUnderWay(item)
        ? this with { Steps = [.. Steps.SkipLast(1), Steps[^1] with { Given = verdict }] }
        : this with { Steps = [.. Steps, new BisectStep(item, verdict, [])] };

    /// <summary>What the types do not say, of a journal that somebody may have written by hand.</summary>
    /// <returns>What is wrong, as a clause; null when nothing is.</returns>
    internal string? FindDamage()
    {
        // The types hold no null, but for the entries of lists.
        if (Items.Concat(Command).Concat(Cells).Any(text => text is null) || Steps.Any(step => step is null || step.Runs.Contains(null)))
        {
            return "a list with null in it";
        }

        HashSet<string> items = new(Items, StringComparer.Ordinal);
        BisectRun[] runs = [.. Steps.SelectMany(step => step.Runs)];
        return this switch
        {
            { Schema: not CurrentSchema } => $"schema '{Schema}', expected {CurrentSchema}",
            { Items.Count: < 2 or > MaxItems } => FormattableString.Invariant($"{Items.Count} items, expected 2 to {MaxItems}"),
            _ when items.Count < Items.Count || !Items.All(IsItem) => "an item twice, or one that is no name",
            { Error: not (> 0 and < 1) } or { Margin: not (>= 0 and <= 1) } => "an error or a margin that is no part of 1",
            { MaxPairs: not (>= 1 and <= PairsLimit) } => FormattableString.Invariant($"maxPairs {MaxPairs}, expected 1 to {PairsLimit}"),
            { Seed: not (>= 0 and <= MaxSeed) } => FormattableString.Invariant($"seed {Seed}, expected 0 to {MaxSeed}"),
            _ when Steps.Any(step => !items.Contains(step.Item)) => "a step of an item that is not in its list",
            _ when runs.Any(run => (run.Figure is null) == (run.Fault is null) || run.Figure is < 0 or double.NaN or double.PositiveInfinity) =>
                "a run without a figure of 0 or more, or a fault in its place",
            _ when !Steps.All(HasPairs) => "runs of a step that are no pairs of its item and the good end",
            _ => null,
        };
    }

    bool HasPairs(BisectStep step) =>
        step.Runs.All(run => string.Equals(run.Item, step.Item, StringComparison.Ordinal) || string.Equals(run.Item, Items[0], StringComparison.Ordinal))
        && step.Runs.GroupBy(run => run.Seed)
            .All(pair => pair.Count() <= 2 && pair.DistinctBy(run => run.Item, StringComparer.Ordinal).Count() == pair.Count());

    bool IsUnderWay(string item) => Steps.Count > 0 && Steps[^1].Given is null && string.Equals(Steps[^1].Item, item, StringComparison.Ordinal);
}

/// <summary>One item tested.</summary>
/// <param name="Item">The item.</param>
/// <param name="Given">The verdict that was given by hand, or <c>skip</c> by the command; null where the runs decide.</param>
/// <param name="Runs">Its runs, and those of the good end that they are compared with, in their order.</param>
public sealed record BisectStep(string Item, BisectVerdict? Given, IReadOnlyList<BisectRun> Runs);

/// <summary>One run of the command.</summary>
/// <param name="Item">Of which item.</param>
/// <param name="Seed">Its seed; two runs of one seed are a pair.</param>
/// <param name="Figure">What was measured, 0 or more; null when the run is void.</param>
/// <param name="Fault">Why it is void; null when it counts.</param>
public sealed record BisectRun(string Item, long Seed, double? Figure, string? Fault);

/// <summary>What is said of an item.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<BisectVerdict>))]
public enum BisectVerdict
{
    /// <summary>It is like the good end.</summary>
    [JsonStringEnumMemberName("good")]
    Good,

    /// <summary>It is like the bad end.</summary>
    [JsonStringEnumMemberName("bad")]
    Bad,

    /// <summary>It cannot be tested.</summary>
    [JsonStringEnumMemberName("skip")]
    Skip,
}

/// <summary>The JSON form of a journal.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true,
    WriteIndented = true,
    NewLine = "\n")]
[JsonSerializable(typeof(BisectJournal))]
public sealed partial class BisectJson : JsonSerializerContext;
