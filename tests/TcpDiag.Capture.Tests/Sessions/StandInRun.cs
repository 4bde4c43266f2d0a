using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>A machine of stand-ins in a folder of its own, and recorders that run on it as processes.</summary>
sealed class StandInRun : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-standins-").FullName;

    public StandInRun()
    {
        Output = Path.Combine(_folder, "result.etl");
        Machine = new(Directory.CreateDirectory(Path.Combine(_folder, "machine")).FullName);
    }

    public MachineState Machine { get; }

    public string Root => Path.Combine(_folder, "captures");

    /// <summary>Where the result goes; its extension decides what it is.</summary>
    public string Output { get; set; }

    /// <summary>Lines the last recorder printed.</summary>
    public IReadOnlyList<string> Lines { get; private set; } = [];

    /// <summary>Whether nothing of a recording is left: no session, no folder.</summary>
    public bool IsClean => Machine.Sessions().Count == 0 && (!Directory.Exists(Root) || !Directory.EnumerateFileSystemEntries(Root).Any());

    public int Record(params string[] options) => Run(["record", Machine.Folder, Root, Output, .. options]);

    public int Recover() => Run("recover", Machine.Folder, Root);

    /// <summary>What a line says that begins with a word; null without such a line.</summary>
    public string? Said(string word) => Lines.FirstOrDefault(line => line.StartsWith(word + ": ", StringComparison.Ordinal))?[(word.Length + 2)..];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    int Run(params string[] arguments)
    {
        ProgramResult result = ExternalProgram.TryRun(Path.Combine(AppContext.BaseDirectory, "standins"), arguments);
        Lines = result.Lines;
        return result.Error.Length == 0 ? result.ExitCode : throw new InvalidOperationException(result.Error);
    }
}
