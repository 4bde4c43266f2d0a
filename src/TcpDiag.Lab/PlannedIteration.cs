using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab;

/// <summary>One run of one side of one cell.</summary>
/// <param name="Cell">The cell.</param>
/// <param name="Side">The side.</param>
/// <param name="Iteration">Which repetition, from 1.</param>
/// <param name="Seed">Seed of the emulated path; all sides of an iteration have the same.</param>
public sealed record PlannedIteration(LabCell Cell, LabSide Side, int Iteration, ulong Seed)
{
    // 2⁶⁴ / golden ratio: consecutive numbers become seeds far from each other.
    const ulong Spread = 0x9E37_79B9_7F4A_7C15;

    /// <summary>Where it leaves its files, below the result directory.</summary>
    public string Folder => System.IO.Path.Combine(Cell.Name, Side.Name, Iteration.ToString("D3", CultureInfo.InvariantCulture));

    /// <summary>What is emulated.</summary>
    public IEnumerable<LabOption> Path =>
        Cell.Path.ExceptBy(Side.Path.Select(option => option.Name), option => option.Name, StringComparer.Ordinal).Concat(Given(Side.Path));

    /// <summary>What is sent; a later setting replaces an earlier one.</summary>
    public IEnumerable<LabOption> Flow => Cell.Flow.Concat(Given(Side.Flow));

    /// <summary>All runs of a matrix in their order: A B A B …, so that drift of the machine hits all sides equally.</summary>
    /// <param name="matrix">The matrix.</param>
    /// <param name="seed">Seed of the whole.</param>
    /// <returns>The runs.</returns>
    public static IReadOnlyList<PlannedIteration> Plan(LabMatrix matrix, ulong seed)
    {
        List<PlannedIteration> plan = [];
        foreach (LabCell cell in matrix.Expand())
        {
            for (int iteration = 1; iteration <= matrix.Iterations; iteration++)
            {
                ulong pathSeed = unchecked(seed + (Spread * (ulong)((cell.Index * 1000L) + iteration)));
                foreach (LabSide side in matrix.Sides)
                {
                    plan.Add(new PlannedIteration(cell, side, iteration, pathSeed));
                }
            }
        }

        return plan;
    }

    static IEnumerable<LabOption> Given(IEnumerable<LabOption> options) => options.Where(option => option.Value is not LabAxis.None);
}
