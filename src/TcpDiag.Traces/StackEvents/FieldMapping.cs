namespace TcpDiag.Traces.StackEvents;

/// <summary>A manifest field and the field of the vocabulary it becomes.</summary>
/// <param name="Name">The manifest's name.</param>
/// <param name="Field">The field of the vocabulary.</param>
/// <param name="Factor">What the number is multiplied with to get the vocabulary's unit.</param>
readonly record struct FieldMapping(string Name, StackField Field, int Factor = 1);
