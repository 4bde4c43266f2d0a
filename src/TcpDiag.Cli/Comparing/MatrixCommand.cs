using System.CommandLine;
using System.Linq;
using TcpDiag.Report.Comparisons;
using TcpDiag.Report.Html;
using TcpDiag.Report.Json;
using TcpDiag.Scores.Comparisons;

namespace TcpDiag.Cli.Comparing;

/// <summary><c>tcpdiag matrix DIR…</c>: many builds under the same conditions, each beside one of them.</summary>
static class MatrixCommand
{
    public static Command Create()
    {
        var folders = new Argument<string[]>("DIR")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "Result directories of lab run or simulate; every side is a build",
        };
        var options = new ComparisonOptions();
        var baseName = new Option<string?>("--base")
        {
            HelpName = "BUILD",
            Description = "The build that the others are set beside; the first side of the first directory if not given",
        };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/matrix/1)" };
        var html = new Option<string?>("--html") { HelpName = "REPORT", Description = "Write the matrix as one page; - for standard output" };
        var force = ForceOption.Create();
        var command = new Command("matrix", "Set many builds beside one of them, condition by condition")
        {
            folders, baseName, options.Metric, options.Margin, options.FailOn, options.Sides, options.Cells, json, html, force,
        };
        options.Validate(command);
        command.Validators.Add(result =>
        {
            if (result.GetValue(json) && result.GetValue(html) is "-")
            {
                result.AddError("--json and --html - write to standard output: give one of them");
            }
        });
        command.SetAction(parse => Run(parse, options, new(parse.GetValue(folders)!, parse.GetValue(baseName)),
            new(parse.GetValue(json), parse.GetValue(html), null, parse.GetValue(force))));
        return command;
    }

    static int Run(ParseResult parse, ComparisonOptions options, MatrixRequest request, CompareOutputs outputs)
    {
        BuildMatrix matrix = BuildMatrix.Read(request.Folders, options.Filter(parse), request.Base, options.Settings(parse));
        ComparisonOptions.TellLeftOut(parse, matrix.Builds.Prepend(matrix.Base).Select(build => build.Set));
        using OutputFile? page = outputs.Html is { } html ? OutputFile.Create(html, request.Folders, outputs.IsForced) : null;
        if (outputs.IsJson)
        {
            MatrixJson.Write(parse.InvocationConfiguration.Output, matrix);
        }
        else if (outputs.IsText)
        {
            MatrixReport.Write(Terminal.Output(parse), matrix);
        }

        if (page is not null)
        {
            MatrixPage.Write(page.Stream, matrix);
            page.Complete();
        }

        // A check that compared nothing must not pass.
        int done = matrix.Rows.Any(row => row.Cells.Any(cell => cell is not null)) ? ExitCode.Done : ExitCode.Failed;
        int check = options.FailsOnRegression(parse) && matrix.HasRegression ? ExitCode.CheckFailed : done;
        bool isComplete = matrix.Builds.Prepend(matrix.Base).All(build => build.Set.IsComplete);
        return ExitCode.Combine(check, isComplete ? ExitCode.Done : ExitCode.Damaged);
    }
}

/// <summary>What a matrix is made of.</summary>
/// <param name="Folders">Result directories.</param>
/// <param name="Base">Name of the base; null for the first.</param>
sealed record MatrixRequest(string[] Folders, string? Base);
