using System.Collections.Generic;

namespace TcpDiag.Capture.Windows;

/// <summary>An event tracing session of our own that writes a file.</summary>
/// <param name="Name">Its name.</param>
/// <param name="LogFile">Full path of the file.</param>
/// <param name="BufferKilobytes">Size of a buffer.</param>
/// <param name="BufferMebibytes">All buffers together, in memory that Windows never pages out.</param>
/// <param name="FileMebibytes">Size at which the file is full.</param>
/// <param name="IsCircular">Whether a full file is overwritten from its beginning, instead of taking no more.</param>
/// <param name="PieceMebibytes">Size at which a new, numbered file begins; null for one file.</param>
/// <param name="Providers">Whose events, all keywords.</param>
public sealed record EtwSessionPlan(
    string Name, string LogFile, int BufferKilobytes, int BufferMebibytes, int FileMebibytes, bool IsCircular, int? PieceMebibytes, IReadOnlyList<StackProvider> Providers);
