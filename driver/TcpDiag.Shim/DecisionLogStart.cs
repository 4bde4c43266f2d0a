using System.Collections.Generic;

namespace TcpDiag.Shim;

/// <summary>The first line of <c>tcpdiag shim log --json</c>.</summary>
/// <param name="Schema">Always <c>tcpdiag/shim-log/1</c>.</param>
/// <param name="Started">When the run began, ISO 8601.</param>
/// <param name="Seed">The seed of every random stream.</param>
/// <param name="DelayErrorLimitNs">What 99 % of the delay errors must not pass, nanoseconds.</param>
/// <param name="Options">What was in force, one <c>option: value</c> each.</param>
public sealed record DecisionLogStart(string Schema, string Started, ulong Seed, long DelayErrorLimitNs, IReadOnlyList<string> Options);
