namespace TcpDiag.Lab;

/// <summary>A process of a run that failed while it worked: the run is void, the experiment goes on.</summary>
/// <param name="message">Which part it was and what became of it, as a sentence.</param>
sealed class LabPartException(string message) : LabException(message);
