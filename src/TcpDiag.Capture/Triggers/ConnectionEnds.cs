using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>Both ends of a connection.</summary>
/// <param name="Local">This machine's end.</param>
/// <param name="Remote">The peer's end.</param>
readonly record struct ConnectionEnds(Endpoint Local, Endpoint Remote)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Local} → {Remote}";
}
