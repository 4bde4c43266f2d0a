using System;
using System.Text.Json;

namespace TcpDiag.Traces.Bundles;

/// <summary>Says of a document of a bundle what is wrong with it, in words of its schema instead of those of the library that reads it.</summary>
static class JsonDamage
{
    /// <summary>Describes what a reader met.</summary>
    /// <param name="exception">What it threw.</param>
    /// <param name="schema">The schema that was expected.</param>
    /// <returns>A clause.</returns>
    public static string Describe(JsonException exception, string schema)
    {
        string line = exception.LineNumber is { } number ? FormattableString.Invariant($" at line {number + 1}") : string.Empty;
        string field = exception.Path is { Length: > 1 } path ? $", field {path.TrimStart('$', '.')}" : string.Empty;
        return $"expected JSON of schema {schema}, found something else{line}{field}";
    }
}
