using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings;

/// <summary>One measure a finding rests on.</summary>
/// <param name="Measure">What was measured, in plain words with its unit.</param>
/// <param name="Value">The value, as it is to be read.</param>
/// <param name="Samples">Samples behind it; null when it is a single fact.</param>
/// <param name="FirstPacket">Number of the first frame that shows it, from 1, as Wireshark counts; null when no single one does.</param>
/// <param name="From">When it begins; null when it holds throughout.</param>
/// <param name="To">When it ends; null when it holds throughout.</param>
public sealed record FindingEvidence(
    string Measure,
    string Value,
    long? Samples = null,
    long? FirstPacket = null,
    TraceTime? From = null,
    TraceTime? To = null);
