using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Management.Automation.Language;
using System.Threading;
using TcpDiag.Capture.Windows.Snapshots;
using TcpDiag.Testing;

namespace TcpDiag.Scripts.Tests;

/// <summary>A text of PowerShell: a script of the project, or what a snapshot of Windows asks.</summary>
/// <param name="Name">Its path in the project, or a name.</param>
/// <param name="Text">The text.</param>
sealed record Script(string Name, string Text)
{
    const string WindowsCheck = "tools/windows-check.ps1";

    static readonly string[] Folders = ["tools", "driver", "src", "tests"];

    /// <summary>All there are.</summary>
    public static IReadOnlyList<Script> All { get; } = [.. Folders.SelectMany(Files), .. Questions()];

    /// <summary>The script that checks a Windows machine.</summary>
    public static Script OfWindowsCheck => All.Single(script => script.Name is WindowsCheck);

    /// <summary>Parses it.</summary>
    /// <param name="tokens">Its words.</param>
    /// <returns>What it says, and what is wrong with it.</returns>
    public (ScriptBlockAst Ast, ParseError[] Errors) Parse(out Token[] tokens)
    {
        ScriptBlockAst ast = Parser.ParseInput(Text, out tokens, out ParseError[] errors);
        return (ast, errors);
    }

    static IEnumerable<Script> Files(string folder) =>
        from path in Directory.EnumerateFiles(ProjectFolder.PathOf(folder), "*.ps1", SearchOption.AllDirectories)
        select new Script(Path.GetRelativePath(ProjectFolder.Root, path).Replace('\\', '/'), File.ReadAllText(path));

    static IEnumerable<Script> Questions()
    {
        var machine = new AskedMachine();
        _ = WindowsSnapshot.Take(machine, TimeProvider.System, CancellationToken.None);
        return machine.Questions.Order(StringComparer.Ordinal).Select((text,
            index) => new Script(FormattableString.Invariant($"question {index + 1} of a snapshot"), text));
    }
}
