using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>A field of a tracepoint that has a place in the vocabulary.</summary>
/// <param name="Name">Its name in the <c>format</c> file.</param>
/// <param name="Field">Its place.</param>
/// <param name="Rule">How to translate it.</param>
sealed record TracepointField(string Name, StackField Field, FieldRule Rule = FieldRule.AsIs);
