namespace TcpDiag.Wire;

/// <summary>A question of a DNS message.</summary>
/// <param name="NameLength">Characters of the name written to the caller's buffer.</param>
/// <param name="Type">The record type asked for.</param>
public readonly record struct DnsQuestion(int NameLength, DnsRecordType Type);
