using System.Collections.Generic;

namespace TcpDiag.Report.Json;

/// <summary>One side's runs of a cell.</summary>
/// <param name="Cell">What the result directory calls it.</param>
/// <param name="Runs">Runs that count.</param>
/// <param name="VoidRuns">Runs that do not.</param>
/// <param name="MedianBitsPerSecond">Median goodput.</param>
/// <param name="GoodputBitsPerSecond">Goodput of each run that counts.</param>
public sealed record ComparedRunsEntry(string Cell, int Runs, int VoidRuns, double MedianBitsPerSecond, IReadOnlyList<double> GoodputBitsPerSecond);
