using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;
using System.Linq;

namespace TcpDiag.Cli.Help;

/// <summary>What there is to say of a command, from its definition: help, man page and the reference of the documentation are made of it.</summary>
/// <param name="Call">The words by which it is called, e.g. <c>tcpdiag events diff</c>.</param>
/// <param name="Command">The command.</param>
sealed record CommandHelp(string Call, Command Command)
{
    /// <summary>The commands it is part of, the program first.</summary>
    public IReadOnlyList<Command> Parents { get; init; } = [];

    /// <summary>How it is called with what it takes.</summary>
    public string Usage
    {
        get
        {
            string usage = Call;
            foreach (Argument argument in Command.Arguments)
            {
                string name = ArgumentName(argument);
                usage += argument.Arity.MinimumNumberOfValues == 0 ? $" [{name}]" : $" {name}";
            }

            if (Command.Subcommands.Count > 0)
            {
                usage += Command.Action is null ? " COMMAND" : " [COMMAND]";
            }

            return usage + " [options]";
        }
    }

    /// <summary>Its subcommands but the hidden ones.</summary>
    public IEnumerable<CommandHelp> Subcommands =>
        Command.Subcommands.Where(child => !child.Hidden).Select(child => new CommandHelp($"{Call} {child.Name}", child) { Parents = [.. Parents, Command] });

    /// <summary>Its arguments.</summary>
    public IEnumerable<HelpRow> Arguments => Command.Arguments.Where(argument => !argument.Hidden).Select(argument =>
        new HelpRow(ArgumentName(argument), WithDefault(argument.Description, argument.HasDefaultValue ? argument.GetDefaultValue() : null)));

    /// <summary>Its options, then those of the commands it is part of that hold for all below.</summary>
    public IEnumerable<HelpRow> Options => Command.Options.Concat(Parents.Reverse().SelectMany(parent => parent.Options.Where(option => option.Recursive)))
        .Where(option => !option.Hidden)
        .Select(option => new HelpRow(OptionNames(option), WithDefault(option.Description, option.HasDefaultValue ? option.GetDefaultValue() : null)));

    /// <summary>A command and all below it, each before its own.</summary>
    public IEnumerable<CommandHelp> All() => Subcommands.SelectMany(child => child.All()).Prepend(this);

    static string WithDefault(string? description, object? value) =>
        DefaultText(value) is { Length: > 0 } text ? $"{description} (default: {text})" : description ?? string.Empty;

    // As it would be written; nothing where no value stands for itself: no limit, none of a list, a switch that is off.
    static string? DefaultText(object? value) => value switch
    {
        TimeSpan time => time > TimeSpan.Zero ? QuantityText.Of(time) : null,
        long bytes => QuantityText.Of(bytes),
        bool => null,
        string text when text.StartsWith(AppContext.BaseDirectory, StringComparison.Ordinal) =>
            $"{text[AppContext.BaseDirectory.Length..]}, beside the program", // wherever it is: man pages are written on another machine
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
}

/// <summary>An argument or option.</summary>
/// <param name="Name">As it is written, with what it takes.</param>
/// <param name="Text">What it does.</param>
readonly record struct HelpRow(string Name, string Text);
