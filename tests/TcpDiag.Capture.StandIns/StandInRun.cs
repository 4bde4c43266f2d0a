using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Testing;

namespace TcpDiag.Capture.StandIns;

/// <summary>A machine of stand-ins in a folder of its own, and recorders that run on it as processes, here or under Wine.</summary>
public sealed class StandInRun : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-standins-").FullName;
    readonly string[] _launcher;
    readonly Func<string, string> _pathThere;

    /// <summary>Recorders of this system.</summary>
    public StandInRun()
        : this([Path.Combine(AppContext.BaseDirectory, "standins")], path => path)
    {
    }

    /// <summary>Recorders that are started in another way.</summary>
    /// <param name="launcher">Program and first arguments.</param>
    /// <param name="pathThere">What the recorder calls a path of ours.</param>
    public StandInRun(string[] launcher, Func<string, string> pathThere)
    {
        _launcher = launcher;
        _pathThere = pathThere;
        Output = Path.Combine(_folder, "result.etl");
        Machine = new(Directory.CreateDirectory(Path.Combine(_folder, "machine")).FullName);
    }

    /// <summary>The machine.</summary>
    public MachineState Machine { get; }

    /// <summary>Holds the folders of recordings while they run.</summary>
    public string Root => Path.Combine(_folder, "captures");

    /// <summary>Where the result goes; its extension decides what it is.</summary>
    public string Output { get; set; }

    /// <summary>Lines the last recorder printed.</summary>
    public IReadOnlyList<string> Lines { get; private set; } = [];

    /// <summary>Whether nothing of a recording is left: no session, no filter, no folder.</summary>
    public bool IsClean => Machine.Sessions().Count == 0 && Machine.Filters.Count == 0
        && (!Directory.Exists(Root) || !Directory.EnumerateFileSystemEntries(Root).Any());

    /// <summary>Records.</summary>
    public int Record(params string[] options) => Run(["record", _pathThere(Machine.Folder), _pathThere(Root), _pathThere(Output), .. options]);

    /// <summary>Finishes what was left.</summary>
    public int Recover() => Run("recover", _pathThere(Machine.Folder), _pathThere(Root));

    /// <summary>What a line says that begins with a word; null without such a line.</summary>
    public string? Said(string word) => Lines.FirstOrDefault(line => line.StartsWith(word + ": ", StringComparison.Ordinal))?[(word.Length + 2)..];

    /// <inheritdoc/>
    public void Dispose() => Directory.Delete(_folder, recursive: true);

    int Run(params string[] arguments)
    {
        ProgramResult result = Start(arguments);
        if (result is { ExitCode: 1, Lines.Count: 0, Error.Length: 0 })
        {
            result = Start(arguments); // a recorder that fails says why: this one never began, as about one program in a thousand under Wine
        }

        Lines = result.Lines;
        return result.Error.Length == 0 ? result.ExitCode : throw new InvalidOperationException(result.Error);
    }

    ProgramResult Start(string[] arguments) => ExternalProgram.TryRun(_launcher[0], [.. _launcher.Skip(1), .. arguments], Patience.Limit);
}
