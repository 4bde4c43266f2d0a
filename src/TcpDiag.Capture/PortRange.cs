using System;
using System.Globalization;

namespace TcpDiag.Capture;

/// <summary>One port, or all ports from one to another.</summary>
/// <param name="First">The lowest port.</param>
/// <param name="Last">The highest port, at least <paramref name="First"/>.</param>
public readonly record struct PortRange(ushort First, ushort Last)
{
    /// <summary>Reads <c>443</c> or <c>5000-5100</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="range">The range, or the default.</param>
    /// <returns>False when the text is no range of ports.</returns>
    public static bool TryParse(string text, out PortRange range)
    {
        range = default;
        int dash = text.IndexOf('-', StringComparison.Ordinal);
        if (!TryParsePort(dash < 0 ? text : text.AsSpan(0, dash), out ushort first))
        {
            return false;
        }

        ushort last = first;
        if (dash >= 0 && !TryParsePort(text.AsSpan(dash + 1), out last))
        {
            return false;
        }

        range = new(first, last);
        return last >= first;
    }

    /// <summary>Whether a port lies in the range.</summary>
    /// <param name="port">The port, host order.</param>
    /// <returns>True when it does.</returns>
    public bool Contains(ushort port) => port >= First && port <= Last;

    /// <inheritdoc/>
    public override string ToString() => First == Last
        ? First.ToString(CultureInfo.InvariantCulture)
        : string.Create(CultureInfo.InvariantCulture, $"{First}-{Last}");

    static bool TryParsePort(ReadOnlySpan<char> text, out ushort port) =>
        ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out port);
}
