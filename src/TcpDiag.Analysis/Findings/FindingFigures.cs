using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace TcpDiag.Analysis.Findings;

/// <summary>A finding without its text and its connection: without a reference, to be kept in a file where there are very many.</summary>
public readonly record struct FindingFigures
{
    const int WholeTrace = -1;

    readonly double _secondsLost; // not a number when unknown
    readonly double _minSecondsLost;
    readonly int _connection;
    readonly sbyte _sender; // 1 the client, 0 the server, −1 neither
    readonly byte _severity;
    readonly ushort _id;

    FindingFigures(Finding finding)
    {
        _id = FindingIdTable.NumberOf(finding.Id);
        _secondsLost = finding.SecondsLost ?? double.NaN;
        _minSecondsLost = finding.MinSecondsLost ?? double.NaN;
        Confidence = finding.Confidence;
        _connection = finding.Connection?.Index ?? WholeTrace;
        _sender = finding.IsFromClient is { } isFromClient ? (sbyte)(isFromClient ? 1 : 0) : (sbyte)-1;
        _severity = (byte)finding.Severity;
        IsDescription = finding.IsDescription;
        IsBreakOff = finding.IsBreakOff;
    }

    /// <summary>Its name (<see cref="FindingIds"/>).</summary>
    public string Id => FindingIdTable.Of(_id);

    /// <summary>The number of its name (<see cref="FindingIdTable"/>).</summary>
    internal ushort IdNumber => _id;

    /// <summary>Seconds a user waited for it; null when unknown.</summary>
    public double? SecondsLost => double.IsNaN(_secondsLost) ? null : _secondsLost;

    /// <summary>The least of it; null when it is one value.</summary>
    public double? MinSecondsLost => double.IsNaN(_minSecondsLost) ? null : _minSecondsLost;

    /// <summary>0 … 1.</summary>
    public double Confidence { get; }

    /// <summary>Number of the connection; null when it concerns the whole trace.</summary>
    public int? Connection => _connection == WholeTrace ? null : _connection;

    /// <summary>The direction of the data concerned; null when it is the connection as a whole.</summary>
    public bool? IsFromClient => _sender < 0 ? null : _sender == 1;

    /// <summary>How much it matters.</summary>
    public FindingSeverity Severity => (FindingSeverity)_severity;

    /// <summary>Whether it only tells what state a transfer was in.</summary>
    public bool IsDescription { get; }

    /// <summary>Whether it broke off what the connection was for.</summary>
    public bool IsBreakOff { get; }

    /// <summary>Whether it is surer than not.</summary>
    internal bool IsSure => Confidence >= Thresholds.SureConfidence;

    /// <summary>The figures of a finding.</summary>
    /// <param name="finding">The finding.</param>
    /// <returns>Its figures.</returns>
    public static FindingFigures Of(Finding finding)
    {
        ArgumentNullException.ThrowIfNull(finding);
        return new(finding);
    }
}

/// <summary>The names of findings as numbers, which last as long as the process: given to a name when it is first met.</summary>
static class FindingIdTable
{
    static readonly Lock Numbering = new();
    static readonly Dictionary<string, ushort> Numbers = new(StringComparer.Ordinal);
    static volatile string[] _ids = []; // replaced, never changed: sorting reads it for each finding

    /// <summary>The number of a name.</summary>
    public static ushort NumberOf(string id)
    {
        string[] ids = _ids;
        for (int i = 0; i < ids.Length; i++)
        {
            if (ReferenceEquals(ids[i], id))
            {
                return (ushort)i; // nearly all are constants, and what is found often is met first
            }
        }

        return NumberOfAny(id);
    }

    /// <summary>The name that has a number.</summary>
    public static string Of(ushort number) => _ids[number];

    /// <summary>The place of each name in alphabetical order, by its number.</summary>
    public static ushort[] Order()
    {
        string[] ids = _ids;
        string[] sorted = [.. ids.Order(StringComparer.Ordinal)];
        return [.. ids.Select(id => (ushort)Array.BinarySearch(sorted, id, StringComparer.Ordinal))];
    }

    static ushort NumberOfAny(string id)
    {
        lock (Numbering)
        {
            if (!Numbers.TryGetValue(id, out ushort number))
            {
                number = checked((ushort)_ids.Length);
                _ids = [.. _ids, id];
                Numbers.Add(id, number);
            }

            return number;
        }
    }
}
