using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;

namespace TcpDiag.Store.Rows;

/// <summary>Makes the rows of experiments and of their comparisons.</summary>
public static class ExperimentRows
{
    /// <summary>The rows of an experiment's runs.</summary>
    /// <param name="path">Its result directory.</param>
    /// <returns>The result.</returns>
    /// <exception cref="RunSetException">It is damaged.</exception>
    public static ResultRows Of(string path) => LabTable.Of(path, LabResultReader.Read(path));

    /// <summary>The rows of a comparison.</summary>
    /// <param name="comparison">The comparison.</param>
    /// <param name="comparedNanos">When it was made, nanoseconds since the Unix epoch.</param>
    /// <returns>The result.</returns>
    public static ResultRows Of(Comparison comparison, long comparedNanos) => ComparisonTable.Of(comparison, comparedNanos);
}
