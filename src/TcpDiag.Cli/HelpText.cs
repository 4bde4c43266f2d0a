using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using System.Globalization;
using System.IO;

namespace TcpDiag.Cli;

/// <summary>
/// Prints the help of a command. Ours instead of System.CommandLine's because that one compiles some seventy methods at
/// each start, a quarter of the time that <c>--help</c> may take.
/// </summary>
sealed class HelpText : SynchronousCommandLineAction
{
    const int PlainColumns = 100;
    const string Indent = "  ";

    /// <inheritdoc/>
    public override bool ClearsParseErrors => true;

    /// <inheritdoc/>
    public override int Invoke(ParseResult parseResult)
    {
        Command command = parseResult.CommandResult.Command;
        TextWriter output = parseResult.InvocationConfiguration.Output;
        output.WriteLine(command.Description);
        output.WriteLine();
        output.WriteLine($"Usage: {Usage(parseResult.CommandResult)}");
        Print(output, "Commands", Commands(command));
        Print(output, "Arguments", Arguments(command));
        Print(output, "Options", Options(parseResult.CommandResult));
        return ExitCode.Done;
    }

    /// <summary>The words by which a command is called; the program is <c>tcpdiag</c> whatever file is running.</summary>
    /// <returns>E.g. <c>tcpdiag events diff</c>.</returns>
    public static string Call(CommandResult result) =>
        result.Parent is CommandResult parent ? $"{Call(parent)} {result.Command.Name}" : "tcpdiag";

    static string Usage(CommandResult result)
    {
        string usage = Call(result);
        foreach (Argument argument in result.Command.Arguments)
        {
            string name = ArgumentName(argument);
            usage += argument.Arity.MinimumNumberOfValues == 0 ? $" [{name}]" : $" {name}";
        }

        if (result.Command.Subcommands.Count > 0)
        {
            usage += result.Command.Action is null ? " COMMAND" : " [COMMAND]";
        }

        return usage + " [options]";
    }

    static List<KeyValuePair<string, string?>> Commands(Command command)
    {
        var rows = new List<KeyValuePair<string, string?>>();
        foreach (Command child in command.Subcommands)
        {
            if (!child.Hidden)
            {
                rows.Add(new(child.Name, child.Description));
            }
        }

        return rows;
    }

    static List<KeyValuePair<string, string?>> Arguments(Command command)
    {
        var rows = new List<KeyValuePair<string, string?>>();
        foreach (Argument argument in command.Arguments)
        {
            if (!argument.Hidden)
            {
                rows.Add(new(ArgumentName(argument), WithDefault(argument.Description, argument.HasDefaultValue ? argument.GetDefaultValue() : null)));
            }
        }

        return rows;
    }

    static List<KeyValuePair<string, string?>> Options(CommandResult result)
    {
        var rows = new List<KeyValuePair<string, string?>>();
        for (CommandResult? level = result; level is not null; level = level.Parent as CommandResult)
        {
            foreach (Option option in level.Command.Options)
            {
                if (!option.Hidden && (option.Recursive || level == result))
                {
                    rows.Add(new(OptionNames(option), WithDefault(option.Description, option.HasDefaultValue ? option.GetDefaultValue() : null)));
                }
            }
        }

        return rows;
    }

    static string WithDefault(string? description, object? value) =>
        DefaultText(value) is { Length: > 0 } text ? $"{description} (default: {text})" : description ?? string.Empty;

    // As it would be written; nothing where no value stands for itself: no limit, none of a list, a switch that is off.
    static string? DefaultText(object? value) => value switch
    {
        TimeSpan time => time > TimeSpan.Zero ? QuantityText.Of(time) : null,
        long bytes => QuantityText.Of(bytes),
        bool => null,
        string text => text,
        IEnumerable<string> words => string.Join(' ', words),
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => null,
    };

    static string ArgumentName(Argument argument) =>
        (argument.HelpName ?? argument.Name.ToUpperInvariant()) + (argument.Arity.MaximumNumberOfValues > 1 ? "…" : string.Empty);

    static string OptionNames(Option option)
    {
        string names = option.Name;
        foreach (string alias in option.Aliases)
        {
            // System.CommandLine also knows the forms of old DOS programs, /? and /h.
            names = alias.StartsWith('-') && alias is not "-?" ? $"{alias}, {names}" : names;
        }

        bool takesValue = option.Arity.MaximumNumberOfValues > 0 && option.ValueType != typeof(bool);
        return takesValue ? $"{names} {option.HelpName ?? option.Name.TrimStart('-').ToUpperInvariant()}" : names;
    }

    static void Print(TextWriter output, string title, List<KeyValuePair<string, string?>> rows)
    {
        if (rows.Count == 0)
        {
            return;
        }

        int columns = Terminal.ColumnsOf(output, PlainColumns);
        int width = 0;
        foreach (KeyValuePair<string, string?> row in rows)
        {
            width = Math.Max(width, row.Key.Length);
        }

        output.WriteLine();
        output.WriteLine($"{title}:");
        foreach (KeyValuePair<string, string?> row in rows)
        {
            output.Write(Indent + row.Key.PadRight(width + Indent.Length));
            PrintWrapped(output, row.Value ?? string.Empty, Indent.Length + width + Indent.Length, columns);
        }
    }

    static void PrintWrapped(TextWriter output, string text, int margin, int columns)
    {
        int column = margin;
        foreach (string word in text.Split(' '))
        {
            if (column > margin && column + 1 + word.Length > columns)
            {
                output.WriteLine();
                output.Write(new string(' ', margin));
                column = margin;
            }

            string piece = column > margin ? " " + word : word;
            output.Write(piece);
            column += piece.Length;
        }

        output.WriteLine();
    }
}
