using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Report;
using TcpDiag.Report.Json;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Redaction;
using TcpDiag.Traces.Redaction.Verification;

namespace TcpDiag.Cli.Redaction;

/// <summary>One file to redact.</summary>
/// <param name="Input">What to read.</param>
/// <param name="Output">What to write; null to write nothing.</param>
/// <param name="IsVerified">Whether to search the result.</param>
sealed record RedactionTask(string Input, string? Output, bool IsVerified)
{
    const string StandardStream = "-";

    /// <summary>Says which file becomes which.</summary>
    /// <param name="files">As the user named them, the target last; in a dry run there need be none, and what exists there is an input too.</param>
    /// <param name="isDryRun">Whether nothing is to be written.</param>
    /// <param name="isVerified">Whether to search the results.</param>
    /// <param name="overwrites">Whether a target that exists is replaced.</param>
    /// <returns>The tasks.</returns>
    /// <exception cref="RedactionUsageException">The target is missing or cannot be.</exception>
    /// <exception cref="TraceInputException">An input cannot be opened.</exception>
    /// <exception cref="TraceFormatException">An input is no trace.</exception>
    public static List<RedactionTask> Plan(string[] files, bool isDryRun, bool isVerified, bool overwrites)
    {
        if (isDryRun)
        {
            bool isLastInput = files.Length == 1 || RedactionTarget.Holds(files[^1]);
            return [.. (isLastInput ? files : files[..^1]).Select(input => new RedactionTask(input, null, false))];
        }

        if (files.Length == 1)
        {
            throw new RedactionUsageException($"{files[0]}: name the file to write as well, or --dry-run to see what would be replaced.");
        }

        string target = files[^1];
        string[] inputs = files[..^1];
        if (isVerified && target is StandardStream)
        {
            throw new RedactionUsageException("standard output cannot be searched afterwards: name a file to write, or leave out --verify.");
        }

        List<RedactionTask> tasks = [.. RedactionTarget.Of(inputs, target).Select((output, index) => new RedactionTask(inputs[index], output, isVerified))];
        tasks.ForEach(task => RedactionTarget.Require(task.Input, task.Output!, overwrites));
        return tasks;
    }

    /// <summary>Redacts all files under one set of pseudonyms.</summary>
    /// <param name="tasks">The files.</param>
    /// <param name="names">The pseudonyms.</param>
    /// <param name="parse">Where remarks go, and the interruption.</param>
    /// <returns>What came of each.</returns>
    public static IReadOnlyList<RedactedFileEntry> Run(List<RedactionTask> tasks, Pseudonyms names, ParseResult parse)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).InterruptionOfReading;
        TraceRedactor.Learn(names, [.. tasks.Select(task => task.Input)], interruption);
        List<IReadOnlyList<TraceProblem>> problems = tasks.ConvertAll(task => task.Redact(names, interruption));

        // What one file names may be found in another one: all are written before the first is searched.
        List<RedactionVerification?> verifications = tasks.ConvertAll(task => task.IsVerified ? RedactionVerifier.Verify(names, task.Output!, interruption) : null);
        var entries = new List<RedactedFileEntry>();
        for (int i = 0; i < tasks.Count; i++)
        {
            ProblemReport.Write(Terminal.Error(parse), tasks[i].Input, problems[i]);
            entries.Add(RedactionDocument.File(tasks[i].Input, tasks[i].Output, problems[i], verifications[i]));
        }

        return entries;
    }

    /// <summary>The exit code of a run.</summary>
    /// <param name="document">What came of it.</param>
    /// <returns>3 when a verification failed, whatever else happened: what leaks must not be given away. Else 4 when an input was damaged.</returns>
    public static int ExitCodeOf(RedactionDocument document)
    {
        if (document.Files.Any(file => file.Verification is { Passed: false }))
        {
            return ExitCode.CheckFailed;
        }

        return document.Files.Any(file => file.Problems.Count > 0) ? ExitCode.Damaged : ExitCode.Done;
    }

    IReadOnlyList<TraceProblem> Redact(Pseudonyms names, CancellationToken interruption)
    {
        if (Output is null)
        {
            return TraceRedactor.Redact(names, Input, Stream.Null, interruption);
        }

        using OutputFile output = OutputFile.Create(Output, [Input]);
        using var buffered = new BufferedStream(output.Stream, 1 << 20);
        IReadOnlyList<TraceProblem> problems = TraceRedactor.Redact(names, Input, buffered, interruption);
        buffered.Dispose();
        output.Complete();
        return problems;
    }
}
