using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// The name under which a recording whose process has gone is kept: the one that was asked for where nothing has it, else one beside it. A recording that was being collected
/// goes on under the name that its journal tells, unless another result is about to take that: then what was collected already moves aside.
/// </summary>
/// <param name="Output">Full path for the result.</param>
/// <param name="Collected">Full path of what was collected before its process went and has its name; null for nothing.</param>
sealed record RecoveredName(string Output, string? Collected)
{
    /// <summary>Chooses it, and moves aside what would be replaced.</summary>
    /// <param name="folder">The recording.</param>
    /// <param name="asked">Full path of the result that was asked for.</param>
    /// <param name="reserved">Full path of a result that is about to be written; null for none.</param>
    /// <param name="inherit">Gives what is moved the rights of its folder.</param>
    /// <returns>The name.</returns>
    /// <exception cref="IOException">What was collected cannot be moved.</exception>
    public static RecoveredName Choose(CaptureFolder folder, string asked, string? reserved, Func<string, string?> inherit)
    {
        IReadOnlyList<(int Number, string Path)> pieces = TracePieces.Of(folder.TraceFile);
        if (folder.Journal.LastOrDefault(entry => entry.Step == CaptureStep.Collecting)?.Output is not { } begun)
        {
            return new(Free(asked, reserved, pieces), null);
        }

        if (!AreSame(begun, reserved))
        {
            return new(begun, Existing(begun));
        }

        string name = Free(begun, reserved, pieces);
        MoveAside(begun, name, pieces, inherit);
        return new(name, Existing(name));
    }

    // What stands there now was written by somebody else since, or will be.
    static string Free(string output, string? reserved, IReadOnlyList<(int Number, string Path)> pieces)
    {
        string name = output;
        for (int number = 1; IsTaken(name, reserved, pieces); number++)
        {
            name = Path.Combine(
                Path.GetDirectoryName(output)!,
                FormattableString.Invariant($"{Path.GetFileNameWithoutExtension(output)}-recovered-{number}{Path.GetExtension(output)}"));
        }

        return name;
    }

    // The temporary name too: what another recording has left there may be all that there is of its trace.
    static bool IsTaken(string name, string? reserved, IReadOnlyList<(int Number, string Path)> pieces) =>
        AreSame(name, reserved) || File.Exists(name) || File.Exists(OutputPlace.Temporary(name)) || pieces.Any(piece => File.Exists(TracePieces.NameOf(name, piece.Number)));

    // What is still in the folder is all there is of a trace that is alone, or of a bundle. Else the trace lacks nothing but its name, or has it; of several, the first have theirs.
    static void MoveAside(string begun, string name, IReadOnlyList<(int Number, string Path)> pieces, Func<string, string?> inherit)
    {
        bool isBundle = CaptureRequest.IsBundle(begun);
        string[] wholes = isBundle ? [begun] : [OutputPlace.Temporary(begun), begun];
        if (pieces.Count == 0 && wholes.FirstOrDefault(File.Exists) is { } whole)
        {
            _ = inherit(whole);
            File.Move(whole, name);
        }
        else if (!isBundle && pieces is not [{ Number: 0 }, ..])
        {
            MovePieces(begun, name, pieces is [var first, ..] ? first.Number : int.MaxValue);
        }
    }

    static void MovePieces(string begun, string name, int end)
    {
        for (int number = 1; number < end && File.Exists(TracePieces.NameOf(begun, number)); number++)
        {
            File.Move(TracePieces.NameOf(begun, number), TracePieces.NameOf(name, number));
        }
    }

    static string? Existing(string output) => new[] { output, TracePieces.NameOf(output, 1) }.FirstOrDefault(File.Exists);

    // As Windows compares paths; where case matters a name too many counts as taken.
    static bool AreSame(string path, string? other) => other is not null && string.Equals(Path.GetFullPath(path), Path.GetFullPath(other), StringComparison.OrdinalIgnoreCase);
}
