namespace TcpDiag.Traces.Input;

/// <summary>A file of an archive without its end.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Position">Where its deflated bytes begin.</param>
sealed record CutEntry(string Name, long Position);
