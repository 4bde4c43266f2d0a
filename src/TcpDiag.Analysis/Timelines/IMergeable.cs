namespace TcpDiag.Analysis.Timelines;

/// <summary>An item on a time axis that can stand for several.</summary>
/// <typeparam name="T">The item itself.</typeparam>
public interface IMergeable<T>
    where T : struct
{
    /// <summary>Instant of the first thing it stands for, ns since the Unix epoch.</summary>
    long Time { get; }

    /// <summary>Whether another item may be merged with this one where they lie close to each other.</summary>
    /// <param name="other">The other.</param>
    /// <returns>True when one item can stand for both.</returns>
    bool IsLike(in T other);

    /// <summary>Puts a later item to this one.</summary>
    /// <param name="later">What comes after.</param>
    /// <returns>One item for both.</returns>
    T With(in T later);
}
