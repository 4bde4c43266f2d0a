using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace TcpDiag.Profile;

/// <summary>
/// Reads what the runtime writes when it ends, with DOTNET_WritePGOData (PgoManager::WritePgoData of dotnet/runtime): for each method a
/// line "@@@ codehash H methodhash H ilSize H records H", its name, its signature, then the counters: "Schema InstrumentationKind K
/// ILOffset N Count N Other N", and Count lines with a value each.
/// </summary>
static class RecordReader
{
    const string NamePrefix = "MethodName: ";
    const string SignaturePrefix = "Signature: ";
    const string ClassPrefix = "TypeHandle: ";

    /// <summary>The methods of one run.</summary>
    /// <param name="path">The file.</param>
    /// <returns>One by one, of every assembly.</returns>
    public static IEnumerable<MethodCounters> Read(string path)
    {
        using var lines = new StreamReader(path);
        while (lines.ReadLine() is { } line)
        {
            if (line.StartsWith("@@@", StringComparison.Ordinal))
            {
                yield return ReadMethod(line.Split(' '), lines);
            }
        }
    }

    static MethodCounters ReadMethod(string[] header, StreamReader lines)
    {
        var method = new MethodName(Next(lines)[NamePrefix.Length..], Next(lines)[SignaturePrefix.Length..], Convert.ToInt32(header[6], 16));
        var counters = new List<Counter>();
        for (int left = Convert.ToInt32(header[8], 16); left > 0; left--)
        {
            Counter counter = ReadCounter(Next(lines).Split(' '), lines);
            if (Enum.IsDefined(counter.Kind))
            {
                counters.Add(counter);
            }
        }

        return new MethodCounters(method, counters);
    }

    static Counter ReadCounter(string[] schema, StreamReader lines)
    {
        var kind = (InstrumentationKind)Number(schema[2]);
        string[] values = new string[Number(schema[6])];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = Next(lines);
        }

        bool isCount = kind is InstrumentationKind.ClassCount or InstrumentationKind.EdgeCount;
        return new Counter(kind, (int)Number(schema[4]), (uint)Number(schema[8]), isCount ? Number(values[0]) : 0, isCount ? []
            : Array.ConvertAll(values, ClassOf));
    }

    static string? ClassOf(string value) =>
        value.StartsWith(ClassPrefix, StringComparison.Ordinal) && value[ClassPrefix.Length..] is not ("NULL" or "UNKNOWN") ? value[ClassPrefix.Length..]
            : null;

    static string Next(StreamReader lines) =>
        lines.ReadLine() ?? throw new InvalidDataException("expected a record of DOTNET_WritePGOData, found its end: was the program stopped?");

    static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);
}
