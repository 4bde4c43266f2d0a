using System;

namespace TcpDiag.Capture;

/// <summary>Where packets are recorded.</summary>
/// <param name="Name">The interface as the system names it, or <see cref="Any"/>.</param>
/// <param name="NetworkNamespace">Linux: the network namespace as <c>ip netns</c> names it; null for the caller's own.</param>
public sealed record CaptureInterface(string Name, string? NetworkNamespace = null)
{
    /// <summary>Stands for all interfaces, also those that appear later.</summary>
    public const string Any = "any";

    /// <summary>Reads <c>eth0</c>, <c>any</c>, or <c>NAMESPACE/eth0</c>; interface and namespace names cannot hold a slash.</summary>
    /// <param name="text">The text.</param>
    /// <returns>The interface.</returns>
    public static CaptureInterface Parse(string text)
    {
        int slash = text.IndexOf('/', StringComparison.Ordinal);
        return slash < 0 ? new(text) : new(text[(slash + 1)..], text[..slash]);
    }

    /// <inheritdoc/>
    public override string ToString() => NetworkNamespace is null ? Name : $"{NetworkNamespace}/{Name}";
}
