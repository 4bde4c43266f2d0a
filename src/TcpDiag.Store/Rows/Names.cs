using System;
using System.Collections.Concurrent;
using System.Text.Json;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Store.Rows;

/// <summary>Words for enumerations, those of the JSON documents: camelCase.</summary>
static class Names
{
    static readonly ConcurrentDictionary<Enum, string> Known = new();

    /// <summary>The word for a value.</summary>
    public static string Of(Enum value) => Known.GetOrAdd(value, static one => JsonNamingPolicy.CamelCase.ConvertName(one.ToString()));

    /// <summary>The word for evidence; null without any.</summary>
    public static string? OfEvidence(Evidence? evidence) => evidence is null or Evidence.None ? null : Of(evidence);
}
