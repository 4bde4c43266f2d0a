using System;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Cli.Help;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>Man pages and the reference of the documentation are made of the definitions of the commands.</summary>
public sealed class ManPageTests
{
    static readonly CommandHelp Program = new("tcpdiag", CommandLine.CreateRoot());

    public static TheoryData<string> Calls => [.. Program.All().Select(help => help.Call)];

    // man(7): .TH title section date footer header; hyphens \-, a leading point \&., anything beyond ASCII \[uXXXX].
    [Fact]
    public void Write_Command_IsAPageOfMan()
    {
        var command = new Command("events", "Events, \"all\" of them")
        {
            new Argument<string[]>("file") { Description = ".etl files.", Arity = ArgumentArity.OneOrMore },
            new Option<string>("--dir") { Description = @"A folder: C:\x", HelpName = "D" },
        };
        var output = new StringWriter();

        ManPage.Write(output, new CommandHelp("tcpdiag events", command), "1.2");

        string[] exits = [.. ExitCode.Meanings.SelectMany(row => new[] { ".TP", $".B {row.Name}", row.Text })];
        Assert.Equal(
            [
                """.TH "TCPDIAG\-EVENTS" 1 "" "tcpdiag 1.2" "tcpdiag" """.TrimEnd(),
                ".nh",
                ".ad l",
                ".SH NAME",
                """tcpdiag\-events \- Events, \(dqall\(dq of them""",
                ".SH SYNOPSIS",
                """.B tcpdiag events FILE\[u2026] [options]""",
                ".SH ARGUMENTS",
                ".TP",
                """.B FILE\[u2026]""",
                """\&.etl files.""",
                ".SH OPTIONS",
                ".TP",
                """.B \-\-dir D""",
                """A folder: C:\ex""",
                ".SH EXIT STATUS",
                .. exits,
                ".SH SEE ALSO",
                """\fBtcpdiag\fR(1)""",
                string.Empty,
            ],
            output.ToString().Split('\n'));
    }

    [ToolTheory("groff")]
    [MemberData(nameof(Calls))]
    public void Write_EveryCommand_FormatsWithoutAWarning(string call)
    {
        CommandHelp help = Program.All().Single(one => string.Equals(one.Call, call, StringComparison.Ordinal));
        string folder = Directory.CreateTempSubdirectory("tcpdiag-test-").FullName;
        string path = Path.Combine(folder, ManPage.FileName(help));
        using (var page = new StreamWriter(path, append: false, Encoding.ASCII))
        {
            ManPage.Write(page, help, "1.2");
        }

        ProgramResult result = ExternalProgram.Run("groff", "-man", "-ww", "-Tutf8", "-P-cbou", path);
        Directory.Delete(folder, recursive: true);

        Assert.Equal(string.Empty, result.Error);
        Assert.All(help.Options, row => Assert.Contains(row.Name.Split(',', ' ')[0], result.Output, StringComparison.Ordinal));
    }

    [Fact]
    public void Reference_OfTheDocumentation_IsUpToDate()
    {
        var output = new StringWriter();
        CommandReference.Write(output, Program);
        Assert.Equal(File.ReadAllText(ProjectFolder.PathOf("docs", "commands", "reference.md")), output.ToString()); // tools/docs/reference.sh makes it anew
    }

    [Theory]
    [InlineData("0.1.0+5735ae02bfee9a52c2e3b0e93103aa101844ec69", "win-x64", "tcpdiag 0.1.0 (commit 5735ae02bfee, win-x64)")]
    [InlineData("0.1.0", "linux-x64", "tcpdiag 0.1.0 (linux-x64)")]
    public void Version_Text_NamesCommitAndPlatform(string version, string platform, string expected) =>
        Assert.Equal(expected, VersionText.Of(version, platform));
}
