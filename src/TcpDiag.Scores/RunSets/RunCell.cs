using System.Collections.Generic;

namespace TcpDiag.Scores.RunSets;

/// <summary>The runs of one build under one set of conditions.</summary>
/// <param name="Name">What the result directory calls it.</param>
/// <param name="Conditions">The conditions: rate, round-trip time, size, buffer, … Their order says nothing.</param>
/// <param name="GoodputBitsPerSecond">Goodput of each run that counts, bit/s; 0 where nothing arrived.</param>
/// <param name="VoidRuns">Runs that do not count: the emulated path was late, or a recorder lost something.</param>
public sealed record RunCell(string Name, IReadOnlyList<Setting> Conditions, IReadOnlyList<double> GoodputBitsPerSecond, int VoidRuns);
