using System;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// Maps addresses one to one by <see cref="CryptoPan"/>, and keeps their class: a private address becomes a private one, a public one never does. Within a class, prefixes are
/// kept. Where the cipher leads out of the class it is applied again (cycle walking), which leaves the map one to one.
/// </summary>
sealed class AddressMap : IDisposable
{
    // Addresses remembered; a scan may bring any number.
    const int MostRemembered = 1 << 18;

    readonly CryptoPan _cipher;
    readonly Dictionary<IpAddress, IpAddress> _known = [];

    /// <summary>Prepares the map.</summary>
    /// <param name="key">Where its secret comes from.</param>
    public AddressMap(RedactionKey key) => _cipher = new CryptoPan(key.Derive("addresses"));

    /// <summary>Maps an address.</summary>
    /// <param name="address">IPv4 or IPv6.</param>
    /// <returns>The address that stands for it; itself where it identifies nobody.</returns>
    public IpAddress Map(IpAddress address)
    {
        if (_known.TryGetValue(address, out IpAddress known))
        {
            return known;
        }

        if (_known.Count == MostRemembered)
        {
            _known.Clear();
        }

        IpAddress mapped = MapAnew(address);
        _known.Add(address, mapped);
        return mapped;
    }

    /// <inheritdoc/>
    public void Dispose() => _cipher.Dispose();

    IpAddress MapAnew(IpAddress address)
    {
        var kind = AddressClass.Of(address);
        if (kind.IsKept)
        {
            return address;
        }

        IpAddress mapped = address;
        do
        {
            mapped = AddressPrefix.Joined(address, _cipher.Map(mapped), kind.KeptBits);
        }
        while (mapped.IsIpv4 != address.IsIpv4 || AddressClass.Of(mapped).Number != kind.Number);

        return mapped;
    }
}
