using System.CommandLine;

namespace TcpDiag.Cli;

/// <summary><c>--html</c> of commands that also print text or JSON.</summary>
static class PageOutput
{
    /// <summary>Creates the option.</summary>
    public static Option<string?> Option() =>
        new("--html") { HelpName = "REPORT", Description = "Write the report as one page; - for standard output" };

    /// <summary>Sees that one thing alone goes to standard output.</summary>
    /// <param name="command">The command.</param>
    /// <param name="json">Its <c>--json</c>.</param>
    /// <param name="html">Its <c>--html</c>.</param>
    public static void Validate(Command command, Option<bool> json, Option<string?> html) => command.Validators.Add(result =>
    {
        if (result.GetValue(json) && result.GetValue(html) is "-")
        {
            result.AddError("--json and --html - write to standard output: give one of them");
        }
    });
}
