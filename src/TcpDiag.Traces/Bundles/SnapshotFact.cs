namespace TcpDiag.Traces.Bundles;

/// <summary>One fact about the machine, as its system tells it.</summary>
/// <param name="Subject">What it is about: an interface, a connection; empty for the machine.</param>
/// <param name="Name">Name of the setting or counter, as the system spells it.</param>
/// <param name="Value">Its value in words or digits.</param>
public sealed record SnapshotFact(string Subject, string Name, string Value);
