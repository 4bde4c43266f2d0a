namespace TcpDiag.Peers;

/// <summary>Why two programs differ in a packet.</summary>
/// <param name="Title">In a few words.</param>
/// <param name="Text">Whole sentences; Markdown.</param>
/// <param name="IsPeerWrong">Whether the other program is wrong by the packets themselves; else both mean different things, or tcpdiag says less.</param>
public sealed record Reason(string Title, string Text, bool IsPeerWrong);
