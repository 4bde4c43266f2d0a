namespace TcpDiag.Lab;

/// <summary>How an experiment stands.</summary>
/// <param name="Next">The run that begins.</param>
/// <param name="Done">Runs done.</param>
/// <param name="Count">Runs in all.</param>
public sealed record LabProgress(PlannedIteration Next, int Done, int Count);
