using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag help [COMMAND…]</c>: what <c>--help</c> of a command prints.</summary>
static class HelpCommand
{
    public static Command Create()
    {
        var words = new Argument<string[]>("COMMAND") { Arity = ArgumentArity.ZeroOrMore, Description = "A command, e.g. analyze or shim run; none for all" };
        words.Validators.Add(Validate);
        words.CompletionSources.Add(context =>
            context.ParseResult.RootCommandResult.Command.Subcommands.Where(child => !child.Hidden).Select(child => child.Name));
        var command = new Command("help", "Show the help of a command") { words };
        command.SetAction(parse => parse.RootCommandResult.Command.Parse([.. parse.GetValue(words)!, "--help"]).Invoke(parse.InvocationConfiguration));
        return command;
    }

    static void Validate(ArgumentResult result)
    {
        Command command = ((CommandResult)result.Parent!.Parent!).Command;
        foreach (Token word in result.Tokens)
        {
            Command? next = command.Subcommands.FirstOrDefault(child => string.Equals(child.Name, word.Value, StringComparison.Ordinal));
            if (next is null)
            {
                result.AddError($"Unrecognized command '{word.Value}'.{Suggestion.OfCommand(command, word.Value)}");
                return;
            }

            command = next;
        }
    }
}
