using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab.Flows;

/// <summary>What sender and receiver are told: one file, <c>flow.json</c>, for both.</summary>
public sealed record FlowJob
{
    /// <summary>The network namespace of the sender.</summary>
    public required string SenderNamespace { get; init; }

    /// <summary>The network namespace of the receiver.</summary>
    public required string ReceiverNamespace { get; init; }

    /// <summary>Where the receiver listens, IPv4.</summary>
    public required string Address { get; init; }

    /// <summary>The port it listens at.</summary>
    public required int Port { get; init; }

    /// <summary>The log of the sender's writes.</summary>
    public required string SenderLog { get; init; }

    /// <summary>The log of the receiver's reads.</summary>
    public required string ReceiverLog { get; init; }

    /// <summary>The flow.</summary>
    public required FlowSettings Flow { get; init; }
}
