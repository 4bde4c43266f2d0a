using System.CommandLine;

namespace TcpDiag.Cli.Help;

/// <summary><c>tcpdiag completion SHELL</c>: a script by which a shell completes commands, options and their values.</summary>
static class CompletionCommand
{
    // Each asks the program itself ([suggest:POSITION], a directive of System.CommandLine), so that none can be out of date. The line is given as the
    // program would be called by its name, up to the cursor. Options are offered behind a hyphen only; where nothing is suggested, shells offer files.
    const string Bash =
        """
        _tcpdiag() {
            local line="${COMP_LINE:0:COMP_POINT}" word="${COMP_WORDS[COMP_CWORD]}"
            line="tcpdiag${line#"${COMP_WORDS[0]}"}"
            mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" "[suggest:${#line}]" "$line" 2>/dev/null)" -- "$word" |
                if [[ "$word" == -* ]]; then cat; else grep -v '^[-/]'; fi)
        }
        complete -o default -F _tcpdiag tcpdiag
        """;

    const string Zsh =
        """
        #compdef tcpdiag
        _tcpdiag() {
            local line="tcpdiag ${(j: :)words[2,CURRENT]}"
            local -a found
            found=(${(f)"$(${words[1]} "[suggest:${#line}]" "$line" 2>/dev/null)"})
            found=(${(M)found:#${words[CURRENT]}*})
            [[ ${words[CURRENT]} == -* ]] || found=(${found:#[-/]*})
            if (( ${#found} )); then compadd -a found; else _files; fi
        }
        if [[ $funcstack[1] == _tcpdiag ]]; then _tcpdiag "$@"; else compdef _tcpdiag tcpdiag; fi
        """;

    const string Fish =
        """
        function __tcpdiag_complete
            set -l line (string replace -r '^\S+' tcpdiag -- (commandline --current-process --cut-at-cursor))
            set -l word (commandline --current-token --cut-at-cursor)
            set -l found (tcpdiag "[suggest:"(string length -- "$line")"]" "$line" 2>/dev/null | string match --regex '.+')
            string match --quiet -- '-*' "$word"; or set found (string match --regex '^[^-/].*' -- $found)
            if set --query found[1]; printf '%s\n' $found; else; __fish_complete_path "$word"; end
        end
        complete --command tcpdiag --no-files --arguments '(__tcpdiag_complete)'
        """;

    const string PowerShell =
        """
        Register-ArgumentCompleter -Native -CommandName tcpdiag -ScriptBlock {
            param($word, $ast, $cursor)
            $typed = $ast.ToString().PadRight($cursor - $ast.Extent.StartOffset)
            $typed = $typed.Substring(0, $cursor - $ast.Extent.StartOffset)
            $line = 'tcpdiag' + $typed.Substring($ast.CommandElements[0].Extent.Text.Length)
            & $ast.CommandElements[0].Value "[suggest:$($line.Length)]" $line 2>$null |
                Where-Object { $_ -like "$word*" -and ($word -like '-*' -or $_ -notmatch '^[-/]') } |
                ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
        }
        """;

    public static Command Create()
    {
        var shell = new Argument<string>("SHELL")
        {
            HelpName = "bash|zsh|fish|powershell",
            Description = "Whose script: docs/commands/completion.md says where it goes",
        };
        Choice.Restrict(shell, "bash", "zsh", "fish", "powershell");
        var command = new Command("completion", "Print a script by which a shell completes commands and options") { shell };
        command.SetAction(parse =>
        {
            parse.InvocationConfiguration.Output.WriteLine(parse.GetRequiredValue(shell).ToLowerInvariant() switch
            {
                "bash" => Bash,
                "zsh" => Zsh,
                "fish" => Fish,
                _ => PowerShell,
            });
            return ExitCode.Done;
        });
        return command;
    }
}
