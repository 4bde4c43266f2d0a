using System.CommandLine;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Report.Stores;
using TcpDiag.Store;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;

namespace TcpDiag.Cli.Store;

/// <summary>Keeps a store small, and says what it is made of.</summary>
static class StoreKeeping
{
    /// <summary>Removes results.</summary>
    public static int Prune(ParseResult parse, string path, StoreFilter filter, bool isTrial, bool isJson)
    {
        using IResultStore store = ResultStores.Open(path);
        long results = isTrial ? store.Count(StoreSchema.Find("result")!, filter) : store.Prune(filter);
        if (isJson)
        {
            StoreJson.WriteCounts(parse.InvocationConfiguration.Output, path, (isTrial ? "wouldRemove" : "removed", results));
        }
        else
        {
            parse.InvocationConfiguration.Output.WriteLine($"{(isTrial ? "would remove" : "removed")} {Quantity.Count(results, "result")}");
        }

        return ExitCode.Done;
    }

    /// <summary>Makes the file as small as what is in it.</summary>
    public static int Vacuum(ParseResult parse, string path, bool isJson)
    {
        using IResultStore store = ResultStores.Open(path);
        long before = store.Bytes;
        store.Compact();
        long after = store.Bytes;
        if (isJson)
        {
            StoreJson.WriteCounts(parse.InvocationConfiguration.Output, path, ("bytesBefore", before), ("bytesAfter", after));
        }
        else
        {
            parse.InvocationConfiguration.Output.WriteLine($"{Quantity.Bytes(before)} before, {Quantity.Bytes(after)} now");
        }

        return ExitCode.Done;
    }

    /// <summary>Prints the schema: of SQLite, or as ClickHouse is to have it.</summary>
    public static int Schema(ParseResult parse, ClickHouseLayout? layout, bool isJson)
    {
        TextWriter output = parse.InvocationConfiguration.Output;
        if (isJson)
        {
            StoreJson.WriteSchema(output);
            return ExitCode.Done;
        }

        foreach (string step in layout is null ? Enumerable.Range(1, StoreSchema.Version).SelectMany(SqliteSchema.Steps) : ClickHouseSchema.Statements(layout))
        {
            output.WriteLine($"{step};");
        }

        return ExitCode.Done;
    }
}
