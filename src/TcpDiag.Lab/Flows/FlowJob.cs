using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab.Flows;

/// <summary>What sender and receiver are told: one file, <c>flow.json</c>, for both.</summary>
public sealed record FlowJob
{
    /// <summary>The sending end.</summary>
    public required FlowEnd Sender { get; init; }

    /// <summary>The receiving end.</summary>
    public required FlowEnd Receiver { get; init; }

    /// <summary>The port at which the one listens that does not connect; 0 leaves it to the system.</summary>
    public required int Port { get; init; }

    /// <summary>The receiver closes a connection that brings more; null for no limit.</summary>
    public long? MaxBytes { get; init; }

    /// <summary>The flow.</summary>
    public required FlowSettings Flow { get; init; }
}
