using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Report;

/// <summary>Short names of TCP options for JSON and text.</summary>
public static class TcpOptionNames
{
    static readonly (TcpOptionKinds Kind, string Name)[] Names =
    [
        (TcpOptionKinds.MaximumSegmentSize, "mss"),
        (TcpOptionKinds.WindowScale, "windowScale"),
        (TcpOptionKinds.SackPermitted, "sackPermitted"),
        (TcpOptionKinds.Timestamps, "timestamps"),
        (TcpOptionKinds.FastOpen, "fastOpen"),
        (TcpOptionKinds.Multipath, "multipath"),
        (TcpOptionKinds.AccurateEcn, "accurateEcn"),
        (TcpOptionKinds.UserTimeout, "userTimeout"),
        (TcpOptionKinds.Md5Signature, "md5Signature"),
        (TcpOptionKinds.Authentication, "authentication"),
        (TcpOptionKinds.Other, "other"),
        (TcpOptionKinds.Incomplete, "incomplete"),
    ];

    // A trace holds few sets of them, and a great many connections.
    static readonly ConcurrentDictionary<TcpOptionKinds, string[]> Known = new();

    /// <summary>The names of a set of options.</summary>
    /// <param name="kinds">The options.</param>
    /// <returns>One name for each, in a fixed order; <c>incomplete</c> where the list was malformed or cut off.</returns>
    public static IReadOnlyList<string> Of(TcpOptionKinds kinds) => Known.GetOrAdd(kinds, List);

    static string[] List(TcpOptionKinds kinds) => [.. Names.Where(entry => (kinds & entry.Kind) != 0).Select(entry => entry.Name)];
}
