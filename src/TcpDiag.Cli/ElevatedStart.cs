using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.IO;
using System.Linq;
using TcpDiag.Capture;
using TcpDiag.Capture.Windows;
using TcpDiag.Cli.Troubleshoot;
using TcpDiag.Lab.Programs;

namespace TcpDiag.Cli;

/// <summary>
/// A command that needs administrator's rights, on a system that can start it with them: to whoever sits at a terminal it offers that. The program that has the
/// rights runs in a window of its own, which stays open until Enter.
/// </summary>
/// <param name="paths">Options that name files or folders, which are handed on as absolute paths.</param>
sealed class ElevatedStart(params Option[] paths)
{
    readonly Option<bool> _keepOpen = new("--keep-open") { Description = "Wait for Enter at the end", Hidden = true };

    /// <summary>Adds the option by which the window stays open.</summary>
    public void AddTo(Command command) => command.Add(_keepOpen);

    /// <summary>Runs the command here, or with the rights.</summary>
    /// <param name="parse">The command line that is run.</param>
    /// <param name="sentences">The language.</param>
    /// <param name="added">Arguments that it gets besides its own; null where it is not to be offered.</param>
    /// <param name="run">Runs it here.</param>
    /// <returns>Its exit code.</returns>
    /// <exception cref="CaptureException">It cannot be started.</exception>
    public int Run(ParseResult parse, Sentences sentences, IReadOnlyList<string>? added, Func<int> run)
    {
        var invocation = (Invocation)parse.InvocationConfiguration;
        if (parse.GetValue(_keepOpen))
        {
            return RunAndWait(invocation, sentences, run);
        }

        Surroundings surroundings = invocation.Surroundings;
        return added is not null && surroundings.Elevation is { } elevation && !surroundings.IsPrivileged() && surroundings.IsAtTerminal()
            && new Questions(sentences, invocation).IsYes("elevate.ask")
                ? Start(parse, sentences, elevation, added)
                : run();
    }

    int Start(ParseResult parse, Sentences sentences, IElevation elevation, IReadOnlyList<string> added)
    {
        var invocation = (Invocation)parse.InvocationConfiguration;
        LabProgram program = invocation.Surroundings.Program;
        invocation.Error.WriteLine(sentences.Of("elevate.wait"));
        if (elevation.Run(program.File, [.. program.Prefix, .. Arguments(parse), .. added, _keepOpen.Name], Environment.CurrentDirectory) is { } code)
        {
            invocation.Error.WriteLine(sentences.Of("elevate.done", code));
            return code;
        }

        Failure.Report(invocation.Error, sentences.Of("elevate.refused"));
        return ExitCode.Interrupted;
    }

    // The current folder of a program with other rights may be another one.
    IEnumerable<string> Arguments(ParseResult parse)
    {
        HashSet<Token> named = new(paths.SelectMany(option => parse.GetResult(option)?.Tokens ?? []), ReferenceEqualityComparer.Instance);
        return parse.Tokens.Select(token => named.Contains(token) ? Path.GetFullPath(token.Value) : token.Value);
    }

    // What went wrong must be read before the window closes.
    static int RunAndWait(Invocation invocation, Sentences sentences, Func<int> run)
    {
        int code = Failure.Guard(run, invocation.Error);
        invocation.Output.Flush();
        invocation.Error.Write(sentences.Of("elevate.close"));
        invocation.Error.Flush();
        invocation.Surroundings.Input.ReadLine();
        return code;
    }
}
