using TcpDiag.Lab.Flows;

namespace TcpDiag.Lab.Results;

/// <summary>Both programs' accounts of one connection.</summary>
/// <param name="ClientPort">The port of the end that connected, which tells the connection in the captures.</param>
/// <param name="Sender">The sending program's.</param>
/// <param name="Receiver">The receiving program's.</param>
public sealed record FlowPair(int ClientPort, FlowReport Sender, FlowReport Receiver);
