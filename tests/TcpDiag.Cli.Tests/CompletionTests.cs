using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>The scripts that <c>completion</c> prints, run by the shells they are for.</summary>
public sealed class CompletionTests
{
    // What a shell does when the tab key is pressed, less the keyboard. Words are set as the shell would.
    const string InBash =
        """
        COMP_LINE="$1"; COMP_POINT=${#1}; read -ra COMP_WORDS <<< "$1"
        [[ "$1" == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tcpdiag
        (( ${#COMPREPLY[@]} )) || COMPREPLY=("${COMP_WORDS[COMP_CWORD]}"*) # complete -o default
        printf '%s\n' "${COMPREPLY[@]}"
        """;

    const string InZsh =
        """
        compadd() { print -rl -- ${(P)@[-1]} }
        _files() { print -l ${words[CURRENT]}* }
        words=(${=1}); [[ "$1" == *" " ]] && words+=(""); CURRENT=${#words}; _tcpdiag
        """;

    public static TheoryData<string, string> Lines => new()
    {
        { "tcpdiag an", "analyze" },
        { "tcpdiag analyze --so", "--sort" },
        { "tcpdiag analyze --sort r", "retransmissions rtt" },
        { "tcpdiag analyze --vantage ", "client middle server" },
        { "tcpdiag shim d", "doctor" },
        { "tcpdiag help sh", "shim" },
        { "tcpdiag completion f", "fish" },
        { "tcpdiag analyze TcpDiag.Wire.d", "TcpDiag.Wire.dll" },
    };

    [UnixTheory]
    [MemberData(nameof(Lines))]
    public void Bash_Completes(string line, string expected) => AssertCompletes("bash", Script("bash") + "\n" + InBash, ["-s", line], line, expected);

    [ToolTheory("zsh")]
    [MemberData(nameof(Lines))]
    public void Zsh_Completes(string line, string expected) =>
        AssertCompletes("zsh", "compdef() { :; }\n" + Script("zsh") + "\n" + InZsh, ["-f", "-s", line], line, expected);

    [ToolTheory("fish")]
    [MemberData(nameof(Lines))]
    public void Fish_Completes(string line, string expected)
    {
        string script = Script("fish") + "\ncomplete --do-complete \"$argv[1]\"";
        AssertCompletes("fish", script, ["--no-config", "--command", script, "--", line], line, expected);
    }

    [Theory]
    [InlineData("powershell", "Register-ArgumentCompleter -Native -CommandName tcpdiag")]
    [InlineData("PowerShell", "[suggest:")]
    public void Script_OfAShellThatIsNotHere_AsksTheProgram(string shell, string part) => Assert.Contains(part, Script(shell), StringComparison.Ordinal);

    static void AssertCompletes(string shell, string script, IReadOnlyList<string> arguments, string line, string expected)
    {
        string[] found = Run(shell, script, arguments);
        Assert.True(expected.Split(' ').SequenceEqual(found.Order(StringComparer.Ordinal)), $"{line}: {string.Join(' ', found)}");
    }

    static string Script(string shell)
    {
        var output = new StringWriter();
        Assert.Equal(ExitCode.Done, new CommandLine(output, TextWriter.Null).Run(["completion", shell]));
        return output.ToString().ReplaceLineEndings("\n");
    }

    static string[] Run(string shell, string script, IReadOnlyList<string> arguments)
    {
        var start = new ProcessStartInfo(shell, arguments)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            WorkingDirectory = AppContext.BaseDirectory,
        };
        start.Environment["PATH"] = AppContext.BaseDirectory + Path.PathSeparator + Environment.GetEnvironmentVariable("PATH");
        using Process process = Process.Start(start)!;
        process.StandardInput.Write(script);
        process.StandardInput.Close();
        string output = process.StandardOutput.ReadToEnd();
        Assert.True(process.WaitForExit(Patience.Limit), $"{shell} did not end");
        return output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }
}
