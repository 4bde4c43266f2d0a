using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace TcpDiag.Lab.Matrix;

/// <summary>An experiment: paths and flows, every combination of which is tried with each side, several times.</summary>
/// <param name="Name">A short name.</param>
/// <param name="Description">What it is for.</param>
/// <param name="Iterations">How often each side of each cell runs.</param>
/// <param name="Path">Settings of the emulated path (docs/impairment.md).</param>
/// <param name="Flow">Settings of the flow (docs/lab.md).</param>
/// <param name="Recording">What is recorded of each run.</param>
/// <param name="Sides">What is compared, at least one.</param>
public sealed record LabMatrix(
    string Name,
    string Description,
    int Iterations,
    IReadOnlyList<LabAxis> Path,
    IReadOnlyList<LabAxis> Flow,
    RecordingSettings Recording,
    IReadOnlyList<LabSide> Sides)
{
    /// <summary>Every combination of the axes' values, the last axis running fastest.</summary>
    /// <returns>The cells.</returns>
    public IReadOnlyList<LabCell> Expand()
    {
        LabAxis[] axes = [.. Path, .. Flow];
        int count = axes.Aggregate(1, (product, axis) => product * axis.Values.Count);
        List<LabCell> cells = new(count);
        for (int index = 0; index < count; index++)
        {
            cells.Add(Cell(axes, index));
        }

        return cells;
    }

    LabCell Cell(LabAxis[] axes, int index)
    {
        LabOption[] options = new LabOption[axes.Length];
        int rest = index;
        for (int i = axes.Length - 1; i >= 0; i--)
        {
            options[i] = new LabOption(axes[i].Name, axes[i].Values[rest % axes[i].Values.Count]);
            rest /= axes[i].Values.Count;
        }

        IEnumerable<string> parts = options.Where((_, i) => axes[i].Values.Count > 1).Select(option => $"-{option.Name}-{option.Value}");
        string name = string.Create(CultureInfo.InvariantCulture, $"{index + 1:D3}{string.Concat(parts.Select(FileName))}");
        return new LabCell(index + 1, name, Given(options.Take(Path.Count)), Given(options.Skip(Path.Count)));
    }

    static LabOption[] Given(IEnumerable<LabOption> options) => [.. options.Where(option => option.Value is not LabAxis.None)];

    static string FileName(string text) => string.Concat(text.Select(c => char.IsAsciiLetterOrDigit(c) || c is '.' ? c : '-'));
}

/// <summary>A setting with the values it takes in turn; more than one makes it an axis of the matrix.</summary>
/// <param name="Name">The setting, e.g. <c>rtt</c>.</param>
/// <param name="Values">Its values, at least one; <c>none</c> leaves the setting out.</param>
public sealed record LabAxis(string Name, IReadOnlyList<string> Values)
{
    /// <summary>The value that leaves a setting out.</summary>
    public const string None = "none";
}

/// <summary>One combination of a matrix's axes.</summary>
/// <param name="Index">Its position, from 1; the last axis runs fastest.</param>
/// <param name="Name">A name that is a file name too: the position and the axes' values, e.g. <c>001-rtt-25ms</c>.</param>
/// <param name="Path">What is emulated.</param>
/// <param name="Flow">What is sent.</param>
public sealed record LabCell(int Index, string Name, IReadOnlyList<LabOption> Path, IReadOnlyList<LabOption> Flow);

/// <summary>One of the things compared: a setting of the stack, and what it changes of the path and of the flow.</summary>
/// <param name="Name">A short name, also of its folder.</param>
/// <param name="Stack">A setting of both ends' stacks, one of <see cref="StackSettings.Names"/>.</param>
/// <param name="Path">What replaces the cell's settings of the path.</param>
/// <param name="Flow">What replaces the cell's settings of the flow.</param>
public sealed record LabSide(string Name, string Stack, IReadOnlyList<LabOption> Path, IReadOnlyList<LabOption> Flow)
{
    /// <summary>System of the sender, with its revision, where a result directory holds runs of several; else null.</summary>
    public string? System { get; init; }
}

/// <summary>One setting as it is written in a matrix.</summary>
/// <param name="Name">Its name, e.g. <c>rtt</c>.</param>
/// <param name="Value">Its value, e.g. <c>25ms</c>.</param>
public sealed record LabOption(string Name, string Value);
