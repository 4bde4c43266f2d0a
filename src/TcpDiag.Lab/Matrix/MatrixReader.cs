using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Impairment.Profiles;
using YamlDotNet.Core;
using YamlDotNet.Core.Events;

namespace TcpDiag.Lab.Matrix;

/// <summary>
/// Reads a matrix file (docs/lab.md, docs/schemas/lab-matrix.json): YAML, read event by event, so that every message names line and column. Every
/// setting is looked at here: what was read can be run.
/// </summary>
public static class MatrixReader
{
    const int MaxCharacters = 64 * 1024;
    const int MaxIterations = 1000;
    const int MaxNameCharacters = 40;
    const int MaxCells = 10_000;

    /// <summary>Reads a matrix.</summary>
    /// <param name="file">The file's name, for messages.</param>
    /// <param name="text">The file.</param>
    /// <returns>The matrix.</returns>
    /// <exception cref="ImpairmentException">It is no matrix; says where.</exception>
    public static LabMatrix Read(string file, string text)
    {
        if (text.Length > MaxCharacters)
        {
            throw new ImpairmentException(file, "at most 65536 characters", text.Length.ToString(CultureInfo.InvariantCulture));
        }

        try
        {
            LabMatrix matrix = ReadDocument(file, new Parser(new StringReader(text)));
            Check(file, matrix);
            return matrix;
        }
        catch (YamlException e)
        {
            throw new ImpairmentException(Where(file, e.Start), "YAML", e.Message);
        }
    }

    static LabMatrix ReadDocument(string file, Parser yaml)
    {
        LabMatrix matrix = new(NameOf(file), string.Empty, 1, [], [], new RecordingSettings(), []);
        Take<StreamStart>(file, yaml, "a YAML stream");
        Take<DocumentStart>(file, yaml, "a mapping");
        foreach (Scalar key in Keys(file, yaml))
        {
            matrix = key.Value switch
            {
                "name" => matrix with { Name = ReadName(file, TakeScalar(file, yaml)) },
                "description" => matrix with { Description = TakeScalar(file, yaml).Value },
                "iterations" => matrix with { Iterations = ReadIterations(file, TakeScalar(file, yaml)) },
                "path" => matrix with { Path = ReadAxes(file, yaml) },
                "flow" => matrix with { Flow = ReadAxes(file, yaml) },
                "capture" => matrix with { Recording = ReadRecording(file, yaml) },
                "sides" => matrix with { Sides = ReadSides(file, yaml) },
                _ => throw new ImpairmentException(
                    Where(file, key.Start), "one of name, description, iterations, path, flow, capture, sides", $"'{key.Value}'"),
            };
        }

        Take<DocumentEnd>(file, yaml, "the end of the document");
        Take<StreamEnd>(file, yaml, "one document");
        return matrix;
    }

    static void Check(string file, LabMatrix matrix)
    {
        if (matrix.Sides.Count == 0)
        {
            throw new ImpairmentException(file, "at least one side", "none");
        }

        double cells = matrix.Path.Concat(matrix.Flow).Aggregate(1.0, (product, axis) => product * axis.Values.Count);
        if (cells > MaxCells)
        {
            throw new ImpairmentException(file, "at most 10000 cells", cells.ToString("F0", CultureInfo.InvariantCulture));
        }

        foreach (PlannedIteration plan in PlannedIteration.Plan(matrix with { Iterations = 1 }, 0))
        {
            CheckPath($"{file} path:", plan.Path);
            _ = FlowSettingsReader.Read($"{file} flow:", plan.Flow, 1);
        }
    }

    static void CheckPath(string where, IEnumerable<LabOption> path)
    {
        ImpairmentOptionsParser parser = new();
        foreach (LabOption option in path)
        {
            if (option.Name is "name" or "description" or "seed")
            {
                throw new ImpairmentException(where, "settings of the path only", $"'{option.Name}'");
            }

            parser.Set($"{where} {option.Name}", option.Name, option.Value);
        }

        _ = parser.Build();
    }

    static List<LabAxis> ReadAxes(string file, Parser yaml)
    {
        List<LabAxis> axes = [];
        foreach (Scalar key in Keys(file, yaml))
        {
            List<string> values = [];
            if (yaml.Accept<SequenceStart>(out _))
            {
                yaml.MoveNext();
                while (!yaml.Accept<SequenceEnd>(out _))
                {
                    values.Add(TakeScalar(file, yaml).Value);
                }

                yaml.MoveNext();
            }
            else
            {
                values.Add(TakeScalar(file, yaml).Value);
            }

            axes.Add(values.Count > 0
                ? new LabAxis(key.Value, values)
                : throw new ImpairmentException(Where(file, key.Start), "at least one value", "an empty list"));
        }

        return axes;
    }

    static RecordingSettings ReadRecording(string file, Parser yaml)
    {
        RecordingSettings recording = new();
        foreach (Scalar key in Keys(file, yaml))
        {
            recording = recording.With(Where(file, key.Start), new LabOption(key.Value, TakeScalar(file, yaml).Value));
        }

        return recording;
    }

    static List<LabSide> ReadSides(string file, Parser yaml)
    {
        List<LabSide> sides = [];
        foreach (Scalar name in Keys(file, yaml))
        {
            sides.Add(ReadSide(file, yaml, ReadName(file, name)));
        }

        return sides;
    }

    // A name that both the flow and the path have is the flow's.
    static LabSide ReadSide(string file, Parser yaml, string name)
    {
        string stack = "adaptive";
        List<LabOption> path = [];
        List<LabOption> flow = [];
        foreach (Scalar key in Keys(file, yaml))
        {
            if (key.Value is "stack")
            {
                stack = ReadStack(file, TakeScalar(file, yaml));
                continue;
            }

            bool isPath = ImpairmentOptionsParser.Names.Contains(key.Value, StringComparer.Ordinal)
                && !FlowSettingsReader.Names.Contains(key.Value, StringComparer.Ordinal);
            (isPath ? path : flow).Add(new LabOption(key.Value, TakeScalar(file, yaml).Value));
        }

        return new LabSide(name, stack, path, flow);
    }

    static string ReadStack(string file, Scalar value) => StackSettings.Names.Contains(value.Value, StringComparer.Ordinal)
        ? value.Value
        : throw new ImpairmentException(Where(file, value.Start), $"one of {string.Join(", ", StackSettings.Names)}", $"'{value.Value}'");

    // The keys of a mapping; the caller reads each value before it asks for the next key.
    static IEnumerable<Scalar> Keys(string file, Parser yaml)
    {
        HashSet<string> seen = new(StringComparer.Ordinal);
        Take<MappingStart>(file, yaml, "a mapping");
        while (!yaml.Accept<MappingEnd>(out _))
        {
            Scalar key = TakeScalar(file, yaml);
            yield return seen.Add(key.Value) ? key : throw new ImpairmentException(Where(file, key.Start), "each name once", $"'{key.Value}' again");
        }

        yaml.MoveNext();
    }

    // Names of folders, and seen on terminals.
    static string ReadName(string file, Scalar name) =>
        name.Value.Length is > 0 and <= MaxNameCharacters && name.Value.All(c => char.IsAsciiLetterOrDigit(c) || c is '-') && name.Value[0] is not '-'
            ? name.Value
            : throw new ImpairmentException(Where(file, name.Start), "a name of 1 to 40 letters, digits and -, not - in front", $"'{name.Value}'");

    // That of the file, with - for what a name may not hold.
    static string NameOf(string file)
    {
        string name = string.Concat(
            Path.GetFileNameWithoutExtension(file).Take(MaxNameCharacters).Select(c => char.IsAsciiLetterOrDigit(c) ? c : '-')).TrimStart('-');
        return name.Length > 0 ? name : "matrix";
    }

    static int ReadIterations(string file, Scalar value) =>
        int.TryParse(value.Value, NumberStyles.None, CultureInfo.InvariantCulture, out int count) && count is >= 1 and <= MaxIterations
            ? count
            : throw new ImpairmentException(Where(file, value.Start), "a number of iterations from 1 to 1000", $"'{value.Value}'");

    static Scalar TakeScalar(string file, Parser yaml)
    {
        Scalar scalar = Take<Scalar>(file, yaml, "a name or a value");
        return scalar.Anchor.IsEmpty && scalar.Tag.IsEmpty
            ? scalar
            : throw new ImpairmentException(Where(file, scalar.Start), "a value without anchor or tag", $"'{scalar.Value}'");
    }

    static T Take<T>(string file, Parser yaml, string expected)
        where T : ParsingEvent
    {
        if (!yaml.Accept<T>(out _) || yaml.Current is not T found)
        {
            throw new ImpairmentException(Where(file, yaml.Current?.Start ?? Mark.Empty), expected, yaml.Current?.GetType().Name ?? "the end");
        }

        yaml.MoveNext();
        return found;
    }

    static string Where(string file, Mark at) => string.Create(CultureInfo.InvariantCulture, $"{file}:{at.Line}:{at.Column}");
}

/// <summary>The matrices that come with the program.</summary>
public static class MatrixPresets
{
    /// <summary>Their names.</summary>
    public static IReadOnlyList<string> Names { get; } = ["limits", "peer", "s1", "s2", "s2-late", "s2-reorder", "s3", "s4", "smoke", "varied", "wan"];

    /// <summary>The text of a preset, a matrix file like any other.</summary>
    /// <param name="name">Its name.</param>
    /// <returns>The text; null if there is no such preset.</returns>
    public static string? FindText(string name)
    {
        if (!((IList<string>)Names).Contains(name))
        {
            return null;
        }

        // Every name above is embedded by the project file; a test reads them all.
        using Stream stream = typeof(MatrixPresets).Assembly.GetManifestResourceStream($"lab.{name}.yaml")!;
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }
}
