using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;

namespace TcpDiag.Cli;

/// <summary>Options whose value is one of a few words. System.CommandLine's own check prints a tab, and does not name the option.</summary>
static class Choice
{
    /// <summary>Creates an option.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="description">What it does.</param>
    /// <param name="words">The words, in small letters.</param>
    public static Option<string?> Option(string name, string description, params string[] words)
    {
        var option = new Option<string?>(name) { Description = description, HelpName = string.Join('|', words) };
        Restrict(option, words);
        return option;
    }

    /// <summary>Lets an option take a few words only, and completion offer them.</summary>
    public static void Restrict(Option option, params string[] words)
    {
        option.CompletionSources.Add(words);
        option.Validators.Add(result => Check(result, result.Tokens, option.Name, words));
    }

    /// <summary>Lets an argument take a few words only, and completion offer them.</summary>
    public static void Restrict(Argument argument, params string[] words)
    {
        argument.CompletionSources.Add(words);
        argument.Validators.Add(result => Check(result, result.Tokens, argument.Name, words));
    }

    /// <summary>The words of an enumeration as options write them.</summary>
    /// <typeparam name="T">The enumeration.</typeparam>
    public static string[] WordsOf<T>()
        where T : struct, Enum
        => [.. Enum.GetNames<T>().Select(name => name.ToLowerInvariant())];

    static void Check(SymbolResult result, IEnumerable<Token> tokens, string name, string[] words)
    {
        if (tokens.FirstOrDefault(token => !words.Contains(token.Value, StringComparer.OrdinalIgnoreCase)) is { } wrong)
        {
            result.AddError($"{name}: expected {List(words)}, found '{wrong.Value}'");
        }
    }

    static string List(string[] words) => words.Length == 1 ? words[0] : $"{string.Join(", ", words[..^1])} or {words[^1]}";
}
