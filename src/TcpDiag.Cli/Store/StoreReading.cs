using System.CommandLine;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Report.Stores;
using TcpDiag.Store;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Cli.Store;

/// <summary>Shows what is in a store.</summary>
static class StoreReading
{
    static readonly string[] ShownOfFindings = ["severity", "finding", "lost_ns", "confidence_ppm", "connection", "sender"];

    /// <summary>Lists recordings.</summary>
    public static int List(ParseResult parse, string path, StoreFilter filter, bool isJson)
    {
        StoreTable table = StoreSchema.Recordings;
        return Query(parse, path, isJson ? new(table, filter) : new StoreQuery(table, StoreText.ColumnsOfList, filter), isJson);
    }

    /// <summary>Shows rows.</summary>
    public static int Query(ParseResult parse, string path, StoreQuery query, bool isJson)
    {
        using IResultStore store = ResultStores.Open(path);
        TextWriter output = parse.InvocationConfiguration.Output;
        if (isJson)
        {
            StoreJson.WriteRows(output, path, query.Table, query.Columns, store.Query(query));
            return ExitCode.Done;
        }

        StoreText.Write(output, query.Columns, store.Query(query));
        long all = query.Limit is null ? 0 : store.Count(query.Table, query.Filter);
        if (all > query.Limit)
        {
            Failure.Report(parse.InvocationConfiguration.Error, $"{query.Limit} of {all} rows; --limit shows more");
        }

        return ExitCode.Done;
    }

    /// <summary>Shows a recording.</summary>
    /// <exception cref="StoreException">None, or more than one, begins so.</exception>
    public static int Show(ParseResult parse, string path, string beginning, bool isJson)
    {
        using IResultStore store = ResultStores.Open(path);
        TextWriter output = parse.InvocationConfiguration.Output;
        StoreFilter filter = StoreFilter.All.And(RowHead.SourceName, ConditionKind.BeginsWith, StoreValue.Of(beginning));
        StoreValue[][] found = [.. store.Query(new StoreQuery(StoreSchema.Recordings, filter) { Limit = 2 })];
        if (found is not [var recording])
        {
            throw new StoreException(found.Length == 0
                ? $"{path}: no recording begins with '{beginning}'. tcpdiag store list shows them."
                : $"{path}: more than one recording begins with '{beginning}'. Give more of its SHA-256.");
        }

        var findings = new StoreQuery(StoreSchema.Findings, filter);
        if (isJson)
        {
            StoreJson.WriteRecording(output, path, recording, store.Query(findings));
            return ExitCode.Done;
        }

        StoreText.WriteFacts(output, StoreSchema.Recordings.Columns, recording);
        output.WriteLine();
        StoreColumn[] shown = [.. ShownOfFindings.Select(findings.Table.Require)];
        StoreText.Write(output, shown, store.Query(findings with { Columns = shown }));
        return ExitCode.Done;
    }

    /// <summary>Writes rows to a file.</summary>
    public static int Export(string path, StoreQuery query, ExportTarget target)
    {
        using IResultStore store = ResultStores.Open(path);
        using OutputFile file = OutputFile.Create(target.Path, [path], target.IsForced);
        using (var buffered = new BufferedStream(file.Stream, 1 << 16))
        {
            if (target.Format == ExportFormat.Parquet)
            {
                store.WriteParquet(query, buffered);
            }
            else if (target.Format == ExportFormat.Csv)
            {
                using var text = new StreamWriter(buffered, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), leaveOpen: true);
                StoreCsv.Write(text, query.Columns, store.Query(query));
            }
            else
            {
                StoreJson.WriteLines(buffered, query.Columns, store.Query(query));
            }
        }

        file.Complete();
        return ExitCode.Done;
    }
}

/// <summary>Where rows are written to.</summary>
/// <param name="Path">A file, or <c>-</c>.</param>
/// <param name="Format">As what.</param>
/// <param name="IsForced">Whether a file that is there is replaced.</param>
sealed record ExportTarget(string Path, ExportFormat Format, bool IsForced);

/// <summary>As what rows are written.</summary>
enum ExportFormat
{
    /// <summary>Comma-separated values.</summary>
    Csv,

    /// <summary>A JSON object a line.</summary>
    Lines,

    /// <summary>Apache Parquet.</summary>
    Parquet,
}
