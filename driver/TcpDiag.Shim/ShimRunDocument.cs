using System.Collections.Generic;

namespace TcpDiag.Shim;

/// <summary>What <c>tcpdiag shim run --json</c> prints.</summary>
/// <param name="Schema">Always <c>tcpdiag/shim-run/1</c>.</param>
/// <param name="Match">Which packets were impaired.</param>
/// <param name="Options">What was emulated, one <c>option: value</c> each.</param>
/// <param name="Seed">The seed of every random stream.</param>
/// <param name="Report">What came of it.</param>
public sealed record ShimRunDocument(string Schema, string Match, IReadOnlyList<string> Options, ulong Seed, ShimReport Report);
