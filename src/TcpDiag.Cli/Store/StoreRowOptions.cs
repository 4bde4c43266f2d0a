using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Cli.Store;

/// <summary>Which rows and columns of which table: what query and export have in common.</summary>
sealed class StoreRowOptions
{
    readonly Argument<string> _table = new("TABLE") { Description = $"One of {string.Join(", ", StoreSchema.Tables.Select(table => table.Name))}" };
    readonly Option<string[]> _columns = new("--column") { HelpName = "NAME", Description = "Only this column; may be repeated" };
    readonly StoreFilterOptions _filter = new();
    readonly StoreConditionOptions _conditions = new();

    public StoreRowOptions() => Choice.Restrict(_table, [.. StoreSchema.Tables.Select(table => table.Name)]);

    public void AddTo(Command command)
    {
        command.Add(_table);
        command.Add(_columns);
        foreach (Option option in _filter.All.Concat(_conditions.All))
        {
            command.Add(option);
        }

        command.Validators.Add(Check);
    }

    public StoreQuery Read(ParseResult parse)
    {
        StoreTable table = StoreSchema.Find(parse.GetValue(_table)!)!;
        string[] names = parse.GetValue(_columns) ?? [];
        return new StoreQuery(
            table, names.Length == 0 ? table.Columns : [.. names.Select(table.Require)], _conditions.Read(parse, table, _filter.Read(parse)));
    }

    void Check(CommandResult result)
    {
        if (result.GetResult(_table) is not { Tokens: [var name] } || StoreSchema.Find(name.Value) is not { } table)
        {
            return;
        }

        _conditions.Check(result, table);
        foreach (Token column in (result.GetResult(_columns)?.Tokens ?? []).Where(token => table.Find(token.Value) is null))
        {
            result.AddError($"--column: expected a column of {table.Name} (tcpdiag store schema lists them), found '{column.Value}'");
        }
    }
}
