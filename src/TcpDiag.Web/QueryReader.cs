using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Microsoft.AspNetCore.Http;
using TcpDiag.Report.Site;
using TcpDiag.Store.Fleets;

namespace TcpDiag.Web;

/// <summary>Reads what an address asks. What it cannot read is told with what was expected.</summary>
/// <param name="request">The request.</param>
sealed class QueryReader(HttpRequest request)
{
    // Longer than any name that a trace holds; a store is not searched for more.
    const int MaxCharacters = 1000;

    /// <summary>A text; null where it is not given, or empty.</summary>
    /// <exception cref="QueryException">It is too long.</exception>
    public string? Text(string name)
    {
        string text = request.Query[name].LastOrDefault() ?? string.Empty;
        return text.Length > MaxCharacters ? throw new QueryException($"{name}: expected at most {MaxCharacters} characters, found {text.Length}.")
            : text.Length == 0 ? null : text;
    }

    /// <summary>A whole number.</summary>
    /// <exception cref="QueryException">It is none, or out of range.</exception>
    public int Number(string name, int usual, int min, int max) => Text(name) is not { } text ? usual
        : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= min && number <= max ? number
        : throw new QueryException(FormattableString.Invariant($"{name}: expected a number from {min} to {max}, found '{text}'."));

    /// <summary>One of some words.</summary>
    /// <exception cref="QueryException">It is none of them.</exception>
    public string Word(string name, IReadOnlyList<string> words) => Text(name) is not { } text ? words[0]
        : words.Contains(text, StringComparer.Ordinal) ? text
        : throw new QueryException($"{name}: expected one of {string.Join(", ", words)}, found '{text}'.");

    /// <summary>How many weeks are looked at.</summary>
    public int Weeks(int usual) => Number("weeks", usual, 2, 520);

    /// <summary>What machines are grouped by.</summary>
    public string By() => Word("by", FleetBuilder.Groupings);

    /// <summary>Which recordings.</summary>
    public RecordingSearch Search()
    {
        return new(Fields(RecordingSearch.Columns), Word("sort", [.. RecordingSearch.Sorts.Select(sort => sort.Name)]),
            Number("page", 1, 1, RecordingSearch.MaxPages));
    }

    /// <summary>Which connections.</summary>
    /// <param name="latest">The week where none is asked for; null for all.</param>
    public ConnectionSearch Connections(Func<string?> latest)
    {
        (string Column, string Value)[] fields = Fields(ConnectionSearch.Columns);
        bool hasWeek = fields.Any(field => field.Column is ConnectionSearch.Week);
        return new(hasWeek || latest() is not { } week ? fields : [.. fields, (ConnectionSearch.Week, week)], Number("page", 1, 1, ConnectionSearch.MaxPages));
    }

    (string Column, string Value)[] Fields(IEnumerable<(string Column, string Title)> columns) =>
    [
        .. from one in columns
           let value = Text(one.Column)
           where value is not null
           select (one.Column, value),
    ];

    /// <summary>The recording in the path, by the whole of its SHA-256.</summary>
    /// <exception cref="NotThereException">It is no hash.</exception>
    public string Source() => request.RouteValues["source"] is string { Length: 64 } source && source.All(char.IsAsciiHexDigitLower)
        ? source
        : throw new NotThereException("A recording is known by its SHA-256: 64 small hexadecimal digits.");

    /// <summary>The connection in the path.</summary>
    /// <exception cref="NotThereException">It is no number.</exception>
    public int Connection() => int.TryParse(request.RouteValues["connection"] as string, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
        ? number
        : throw new NotThereException("A connection is known by its number, from 0 on.");
}

/// <summary>A request asks for what cannot be: what was expected, and what was found.</summary>
/// <param name="message">One sentence.</param>
sealed class QueryException(string message) : Exception(message);

/// <summary>What is asked for is not there.</summary>
/// <param name="message">One sentence.</param>
sealed class NotThereException(string message) : Exception(message);
