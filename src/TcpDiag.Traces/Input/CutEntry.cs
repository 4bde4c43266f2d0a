namespace TcpDiag.Traces.Input;

/// <summary>A file of an archive without its end.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Position">Where its deflated bytes begin.</param>
/// <param name="Length">How many there are, or would be; null for the last one, where its header does not tell.</param>
/// <param name="IsOpen">Whether it was being written where the archive stays: whoever can seek sets the length when a file is whole.</param>
sealed record CutEntry(string Name, long Position, long? Length, bool IsOpen);
