using System;
using System.Linq;
using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab.Results;

/// <summary>
/// An experiment that goes on after its machine was upgraded: the sides of each build stand beside each other in one result directory, those of a later one
/// with its build and revision behind their names. Seeds are those of the cell and the iteration, so that runs of both builds are pairs.
/// </summary>
static class Resumption
{
    const int MaxNameCharacters = 40; // a folder's

    /// <summary>The experiment with the sides of this build beside those that are there.</summary>
    /// <param name="there">What the directory holds.</param>
    /// <param name="here">The same experiment on this build, without results.</param>
    /// <returns>The experiment to go on with; the sides to be run have the system of <paramref name="here"/>.</returns>
    /// <exception cref="LabException">A name would be too long for a folder, or is taken.</exception>
    public static LabRunDocument Merge(LabRunDocument there, LabRunDocument here)
    {
        LabSide[] before = [.. there.Matrix.Sides.Select(side => side.System is null ? side with { System = there.Kernel } : side)];
        LabSide[] own = before.Any(side => IsOf(side, here.Kernel)) ? [] : [.. here.Matrix.Sides.Select(side => Name(side, here.Kernel))];
        LabSide? taken = Array.Find(own, side => before.Any(other => string.Equals(other.Name, side.Name, StringComparison.Ordinal)));
        return taken is null
            ? here with { Kernel = there.Kernel, Matrix = here.Matrix with { Sides = [.. before, .. own] } }
            : throw new LabException($"side {taken.Name}: there is one of that name. Choose another --out.");
    }

    /// <summary>The sides of a directory that its first build has, by the names of the matrix.</summary>
    /// <param name="run">What it holds.</param>
    /// <returns>The experiment as it was begun.</returns>
    public static LabRunDocument First(LabRunDocument run) => run with
    {
        Matrix = run.Matrix with
        {
            Sides = [.. run.Matrix.Sides.Where(side => side.System is null || IsOf(side, run.Kernel)).Select(side => side with { System = null })],
        },
    };

    /// <summary>Whether a side is one of a system.</summary>
    /// <param name="side">The side.</param>
    /// <param name="system">The system.</param>
    public static bool IsOf(LabSide side, string system) => side.System is null || string.Equals(side.System, system, StringComparison.Ordinal);

    static LabSide Name(LabSide side, string system)
    {
        string build = string.Concat((system.StartsWith("Windows 10.0.", StringComparison.Ordinal) ? system["Windows 10.0.".Length..] : system)
            .Select(c => char.IsAsciiLetterOrDigit(c) ? c : '-'));
        string name = $"{side.Name}-{build}";
        return name.Length <= MaxNameCharacters
            ? side with { Name = name, System = system }
            : throw new LabException($"side {side.Name}: with this build behind it the name has more than {MaxNameCharacters} characters. Shorten it.");
    }
}
