using System.Globalization;

namespace TcpDiag.Wire;

/// <summary>One end of a transport connection.</summary>
/// <param name="Address">The IP address.</param>
/// <param name="Port">The port in host order.</param>
public readonly record struct Endpoint(IpAddress Address, ushort Port)
{
    /// <summary>The usual text form: <c>10.0.0.1:443</c> or <c>[2001:db8::1]:443</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => Address.IsIpv4
        ? string.Create(CultureInfo.InvariantCulture, $"{Address}:{Port}")
        : string.Create(CultureInfo.InvariantCulture, $"[{Address}]:{Port}");
}
