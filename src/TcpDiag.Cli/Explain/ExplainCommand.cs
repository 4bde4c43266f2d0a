using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;
using Spectre.Console;

namespace TcpDiag.Cli.Explain;

/// <summary><c>tcpdiag explain [NAME]</c>: the page of a finding, or a term of the glossary.</summary>
static class ExplainCommand
{
    public static Command Create()
    {
        var name = new Argument<string[]>("NAME")
        {
            Arity = ArgumentArity.ZeroOrMore,
            Description = "A finding such as path-loss, or a word such as receive window; none for a list",
        };
        name.Validators.Add(Validate);
        name.CompletionSources.Add(_ => Topics.All.Where(topic => topic.Page is not null).Select(topic => topic.Names[0]));
        var command = new Command("explain", "Explain a finding, or a word that reports use") { name };
        command.SetAction(parse => Run(Terminal.Output(parse), string.Join(' ', parse.GetValue(name) ?? [])));
        return command;
    }

    static void Validate(ArgumentResult result)
    {
        string name = string.Join(' ', result.Tokens.Select(token => token.Value));
        if (name.Length > 0 && Topics.Find(name).Count == 0)
        {
            result.AddError($"No finding and no word is called '{name}'.{Topics.Meant(name)} `tcpdiag explain` lists them.");
        }
    }

    static int Run(IAnsiConsole console, string name)
    {
        int columns = console.Profile.Width;
        if (name.Length == 0)
        {
            Write(console, [.. Explanation.List(columns)]);
            return ExitCode.Done;
        }

        bool isFirst = true;
        foreach (Topic topic in Topics.Find(name))
        {
            Write(console, isFirst ? [.. Explanation.Of(topic, columns)] : [new(string.Empty), .. Explanation.Of(topic, columns)]);
            isFirst = false;
        }

        return ExitCode.Done;
    }

    static void Write(IAnsiConsole console, PlainLine[] lines)
    {
        foreach (PlainLine line in lines)
        {
            console.Write(new Text(line.Text, line.IsHeading ? new Style(decoration: Decoration.Bold) : Style.Plain));
            console.WriteLine();
        }
    }
}
