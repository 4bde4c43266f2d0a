using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Redaction;
using TcpDiag.Redaction.Verification;
using TcpDiag.Report;
using TcpDiag.Report.Json;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag redact IN… OUT</c>: traces without payload, names and addresses, for others to analyse.</summary>
static class RedactCommand
{
    public static Command Create()
    {
        var files = new Argument<string[]>("FILE")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "Traces or bundles to read, then the file to write; for several, a folder. - for standard input and output",
        };
        var keyFile = new Option<string?>("--key-file")
        {
            HelpName = "FILE",
            Description = "64 hexadecimal digits, kept secret by you: the same names and addresses in every run. Default: a new key that is kept nowhere",
        };
        var mapPorts = new Option<bool>("--map-ports") { Description = "Replace ports too; the analysis may then take the other side for the client" };
        var dryRun = new Option<bool>("--dry-run") { Description = "Only list what would be replaced and removed, and which names and addresses" };
        var verify = new Option<bool>("--verify")
        {
            Hidden = true,
            Description = "Search the result, as is done anyway; refuses standard output, which cannot be",
        };
        var noVerify = new Option<bool>("--no-verify") { Description = "Do not search the result for every original name and address, which takes time" };
        var keep = new Option<bool>("--keep-unclean") { Description = "Keep a result in which an original name or address was found; exit code 3 as without" };
        Option<bool> force = ForceOption.Create();
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/redaction/1)" };
        var command = new Command("redact", "Make traces that may be given away: payload removed, names and addresses replaced")
        {
            files, keyFile, mapPorts, dryRun, verify, noVerify, keep, force, json,
        };
        command.Validators.Add(result =>
        {
            if (result.GetValue(noVerify) && (result.GetValue(verify) || result.GetValue(keep)))
            {
                result.AddError("--no-verify leaves out the search that --verify and --keep-unclean are about: give one of them");
            }
        });
        command.SetAction(parse =>
        {
            using var names = new Pseudonyms(KeyFile.Read(parse.GetValue(keyFile)), parse.GetValue(mapPorts));
            bool isDryRun = parse.GetValue(dryRun);
            Verification search = parse.GetValue(noVerify) ? Verification.No : parse.GetValue(verify) ? Verification.Required : Verification.WherePossible;
            List<RedactionTask> tasks = RedactionTask.Plan(parse.GetRequiredValue(files), isDryRun, search, parse.GetValue(force));
            IEnumerable<RedactedFileEntry> results = RedactionTask.Run(tasks, names, parse).Select(file => RedactionTarget.Settle(file, parse.GetValue(keep)));
            var document = RedactionDocument.From(isDryRun, [.. results], names);
            bool isOutputTaken = tasks.Exists(task => task.Output is "-");
            if (isOutputTaken && search == Verification.WherePossible)
            {
                parse.InvocationConfiguration.Error.WriteLine("Standard output was not searched for original names and addresses; a file is.");
            }

            Report(parse, document, parse.GetValue(json), isOutputTaken);
            return RedactionTask.ExitCodeOf(document);
        });
        return command;
    }

    static void Report(ParseResult parse, RedactionDocument document, bool isJson, bool isOutputTaken)
    {
        if (isJson && !isOutputTaken)
        {
            document.Write(parse.InvocationConfiguration.Output);
        }
        else
        {
            RedactionReport.Write(isOutputTaken ? Terminal.Error(parse) : Terminal.Output(parse), document);
        }
    }
}

/// <summary>Whether results are searched for what should be gone.</summary>
enum Verification
{
    /// <summary>They are not.</summary>
    No,

    /// <summary>Files are.</summary>
    WherePossible,

    /// <summary>They are; what cannot be searched is refused.</summary>
    Required,
}

/// <summary>One file to redact.</summary>
/// <param name="Input">What to read.</param>
/// <param name="Output">What to write; null to write nothing.</param>
/// <param name="IsVerified">Whether to search the result.</param>
/// <param name="IsForced">Whether a file that is there is replaced.</param>
sealed record RedactionTask(string Input, string? Output, bool IsVerified, bool IsForced)
{
    const string StandardStream = "-";

    /// <summary>Says which file becomes which.</summary>
    /// <param name="files">As the user named them, the target last; in a dry run there need be none, and what exists there is an input too.</param>
    /// <param name="isDryRun">Whether nothing is to be written.</param>
    /// <param name="search">Whether to search the results.</param>
    /// <param name="isForced">Whether a target that is there is replaced.</param>
    /// <exception cref="RedactionUsageException">The target is missing or cannot be.</exception>
    /// <exception cref="OutputTakenException">The target is there already.</exception>
    /// <exception cref="TraceInputException">An input cannot be opened.</exception>
    /// <exception cref="TraceFormatException">An input is no trace.</exception>
    public static List<RedactionTask> Plan(string[] files, bool isDryRun, Verification search, bool isForced)
    {
        if (isDryRun)
        {
            bool isLastInput = files.Length == 1 || RedactionTarget.Holds(files[^1]);
            return [.. (isLastInput ? files : files[..^1]).Select(input => new RedactionTask(input, null, false, false))];
        }

        if (files.Length == 1)
        {
            throw new RedactionUsageException($"{files[0]}: name the file to write as well, or --dry-run to see what would be replaced.");
        }

        string target = files[^1];
        string[] inputs = files[..^1];
        if (search == Verification.Required && target is StandardStream)
        {
            throw new RedactionUsageException("standard output cannot be searched afterwards: name a file to write, or leave out --verify.");
        }

        IEnumerable<string> outputs = RedactionTarget.Of(inputs, target);
        List<RedactionTask> tasks = [.. inputs.Zip(outputs, (input, output) => new RedactionTask(input, output, search != Verification.No, isForced))];
        tasks.ForEach(task => RedactionTarget.Require(task.Input, task.Output!, isForced));
        return tasks;
    }

    /// <summary>Redacts all files under one set of pseudonyms.</summary>
    /// <param name="tasks">The files.</param>
    /// <param name="names">The pseudonyms.</param>
    /// <param name="parse">Where remarks go, and the interruption.</param>
    public static IReadOnlyList<RedactedFileEntry> Run(List<RedactionTask> tasks, Pseudonyms names, ParseResult parse)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        using var progress = new ReadingProgress(parse, [.. tasks.Select(task => task.Input)]);
        TraceRedactor.Learn(names, [.. tasks.Select(task => task.Input)], interruption);
        List<IReadOnlyList<TraceProblem>> problems = tasks.ConvertAll(task => task.Redact(names, interruption));

        // A name from one file may occur in another: all are written before the first is searched.
        List<RedactionVerification?> verifications = tasks.ConvertAll(
            task => task.IsSearched ? RedactionVerifier.Verify(names, task.Output!, interruption) : null);
        progress.End();
        var entries = new List<RedactedFileEntry>();
        for (int i = 0; i < tasks.Count; i++)
        {
            ProblemReport.Write(Terminal.Error(parse), tasks[i].Input, problems[i]);
            entries.Add(RedactionDocument.File(tasks[i].Input, tasks[i].Output, problems[i], verifications[i]));
        }

        return entries;
    }

    /// <summary>The exit code of a run.</summary>
    /// <returns>3 when a verification failed, whatever else happened: a file that leaks must not be passed on. Else 4 when an input was damaged.</returns>
    public static int ExitCodeOf(RedactionDocument document)
    {
        if (document.Files.Any(file => file.Verification is { Passed: false }))
        {
            return ExitCode.CheckFailed;
        }

        return document.Files.Any(file => file.Problems.Count > 0) ? ExitCode.Damaged : ExitCode.Done;
    }

    // Standard output, a pipe and a device have gone with what was written to them.
    bool IsSearched => IsVerified && RedactionTarget.Holds(Output!);

    IReadOnlyList<TraceProblem> Redact(Pseudonyms names, CancellationToken interruption)
    {
        if (Output is null)
        {
            return TraceRedactor.Redact(names, Input, Stream.Null, interruption);
        }

        using OutputFile output = OutputFile.Create(Output, [Input], IsForced);
        using var buffered = new BufferedStream(output.Stream, 1 << 20);
        IReadOnlyList<TraceProblem> problems = TraceRedactor.Redact(names, Input, buffered, interruption);
        buffered.Dispose();
        output.Complete();
        return problems;
    }
}

/// <summary>Reads the key of a redaction. Nothing ever writes one.</summary>
static class KeyFile
{
    // More than a key and white space.
    const int MaxCharacters = 1024;

    /// <summary>Reads a key.</summary>
    /// <param name="path">The file; null for a new random key.</param>
    /// <exception cref="IOException">The file cannot be read or holds no key.</exception>
    public static RedactionKey Read(string? path)
    {
        if (path is null)
        {
            return RedactionKey.Random();
        }

        char[] text = new char[MaxCharacters];
        using StreamReader reader = File.OpenText(path);
        int length = reader.ReadBlock(text);
        return length < MaxCharacters && RedactionKey.TryParse(text.AsSpan(0, length), out RedactionKey? key)
            ? key!
            : throw new IOException($"{path}: expected a key of {2 * RedactionKey.Bytes} hexadecimal digits. "
                + $"`openssl rand -hex {RedactionKey.Bytes}` makes one.");
    }
}
