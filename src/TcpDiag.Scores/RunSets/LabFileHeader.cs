namespace TcpDiag.Scores.RunSets;

/// <summary>What a JSON document says it is.</summary>
/// <param name="Schema">Name and number of its schema; null where it names none.</param>
sealed record LabFileHeader(string? Schema = null);
