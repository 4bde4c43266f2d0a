using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Scores;
using TcpDiag.Store;
using TcpDiag.Store.Rows;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Store;

/// <summary><c>--store</c> of commands with another purpose: what they found of whole recordings is kept too.</summary>
sealed class StoreBesides
{
    static readonly RecordingLabels Unlabelled = new();

    readonly string _store;
    readonly string[] _paths;
    readonly RecordingFile _file;

    StoreBesides(string store, string[] paths)
    {
        _store = store;
        _paths = paths;
        _file = RecordingFile.Of(paths);
        ResultStores.Open(store, isCreated: true).Dispose(); // a store that cannot be written is told before the work begins
    }

    /// <summary>Looks at recordings before they are read.</summary>
    /// <param name="store">The store; null where nothing is kept.</param>
    /// <param name="paths">The recordings that are read as one.</param>
    /// <returns>Null where nothing is kept.</returns>
    /// <exception cref="StoreException">The store cannot be opened.</exception>
    public static StoreBesides? Of(string? store, string[] paths) => store is null ? null : new(store, paths);

    /// <summary>Keeps an analysis.</summary>
    /// <param name="analysis">Of the recordings.</param>
    /// <param name="reader">Their reader, at the end.</param>
    /// <param name="bundle">The first bundle among them; null without.</param>
    /// <param name="scores">Their scores; null where they were not scored.</param>
    /// <exception cref="StoreException">The store cannot be written, or the recordings changed while they were read.</exception>
    public void Keep(TraceAnalysis analysis, TraceReader reader, BundleContents? bundle, TraceScores? scores = null)
    {
        var recording = new AnalyzedRecording(_file, analysis, reader, bundle);
        using IResultStore store = ResultStores.Open(_store, isCreated: true);
        RecordingIntake.Add(store, recording, Unlabelled, _paths);
        if (scores is not null)
        {
            using var names = new PersonalNames(store.Key, keepsAddresses: false);
            store.Add(RecordingRows.Of(recording, scores, Unlabelled, names));
        }
    }

    /// <summary>Has a command take <c>--store</c> of whole files alone: a part would stand in the store for the whole.</summary>
    /// <param name="command">The command.</param>
    /// <param name="store">The option.</param>
    /// <param name="files">Its files.</param>
    /// <param name="partial">Options that leave something out, or are no final result.</param>
    public static void AddTo(Command command, Option<string?> store, Argument<string[]> files, params string[] partial)
    {
        command.Add(store);
        command.Validators.Add(result =>
        {
            if (result.GetValue(store) is not null && Against(result, files, partial) is { } against)
            {
                result.AddError($"--store keeps whole recordings: leave {against} away");
            }
        });
    }

    static string? Against(CommandResult result, Argument<string[]> files, string[] partial) =>
        result.GetValue(files)?.Contains("-", StringComparer.Ordinal) == true ? "standard input (-)"
        : result.Children.OfType<OptionResult>().FirstOrDefault(one => !one.Implicit && partial.Contains(one.Option.Name, StringComparer.Ordinal))?.Option.Name;
}
