using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Report.Html;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Input;

namespace TcpDiag.Web;

/// <summary>
/// Draws the graphs of a connection from its recording. The path is the one in the store, never one from an address, and what lies there must still be what was
/// added: a file of the same length and SHA-256.
/// </summary>
/// <param name="options">How the store is served.</param>
/// <param name="counters">The server's figures.</param>
sealed class GraphDrawing(ServeOptions options, ServeCounters counters) : IDisposable
{
    // Each reads a whole recording.
    readonly SemaphoreSlim _reading = new(1);

    /// <summary>Why the graphs of a recording cannot be drawn, as far as that is seen without reading it.</summary>
    /// <param name="recording">Its row.</param>
    /// <returns>Null where they can.</returns>
    public string? WhyNot(StoreValue[] recording)
    {
        (string? path, long bytes) = FileOf(recording);
        if (!options.ReadsRecordings)
        {
            return "recordings are not read here (--no-recordings).";
        }

        if (bytes > options.Limits.RecordingBytes)
        {
            return "the recording is too large to be read here; tcpdiag analyze --html draws them.";
        }

        // The length of a pipe or a device is 0: none is opened.
        return path is null || bytes <= 0 || !new FileInfo(path).Exists ? "the recording is not where it was when it was added."
            : new FileInfo(path).Length != bytes ? "the file is no longer what was added."
            : null;
    }

    /// <summary>Draws them.</summary>
    /// <param name="recording">The row of the recording.</param>
    /// <param name="connection">Number of the connection.</param>
    /// <param name="cancellation">Who asked has gone.</param>
    /// <exception cref="NotThereException">They cannot be drawn.</exception>
    public async Task<Answer> Draw(StoreValue[] recording, int connection, CancellationToken cancellation)
    {
        if (WhyNot(recording) is { } reason)
        {
            throw new NotThereException($"No graphs: {reason}");
        }

        await _reading.WaitAsync(cancellation);
        try
        {
            return await Task.Run(() => Drawn(recording, connection, cancellation), cancellation);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or TraceFormatException or TraceInputException)
        {
            throw new NotThereException($"No graphs: the recording cannot be read. {exception.Message}");
        }
        finally
        {
            _reading.Release();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _reading.Dispose();

    Answer Drawn(StoreValue[] recording, int connection, CancellationToken cancellation)
    {
        string path = FileOf(recording).Path!;
        if (!string.Equals(RecordingFile.Of(path).Sha256, Of(recording, RowHead.SourceName).Text, StringComparison.Ordinal))
        {
            throw new NotThereException("No graphs: the file is no longer what was added.");
        }

        counters.Drawn();
        var bundle = BundleContents.Of(path);
        using TraceReader reader = TraceFile.Open(path);
        var chosen = new AnalysisOptions
        {
            Snapshot = bundle?.Snapshot,
            Timelines = new TimelineOptions(),
            Connections = new ConnectionFilter { Numbers = [connection] },
        };
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, chosen, cancellation);
        return Answer.Page(stream => HtmlReport.Write(
            stream, analysis, [Path.GetFileName(path)], reader, bundle is null ? [] : [bundle])) with
        { Policy = HtmlReport.Policy };
    }

    static (string? Path, long Bytes) FileOf(StoreValue[] recording) => (Of(recording, "path").Text, Of(recording, "bytes").Number ?? 0);

    static StoreValue Of(StoreValue[] recording, string column) =>
        StoreSchema.Recordings.Columns.Zip(recording).First(pair => string.Equals(pair.First.Name, column, StringComparison.Ordinal)).Second;
}
