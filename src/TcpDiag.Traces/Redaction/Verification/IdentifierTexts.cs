using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction.Verification;

/// <summary>How addresses, networks, security identifiers and GUIDs stand in texts.</summary>
static class IdentifierTexts
{
    const int Shortest = 8; // a shorter text comes about by chance

    // A star is a rare character.
    const int ShortestWithStar = 6;

    /// <summary>The texts that give an original away.</summary>
    /// <param name="originals">The values.</param>
    /// <returns>In lower case, none so short that it comes about by chance.</returns>
    public static IReadOnlyCollection<string> Of(OriginalValues originals) =>
    [
        .. originals.Addresses.Keys.Where(originals.IsBetrayed).SelectMany(Of).Where(text => text.Length >= Shortest),
        .. originals.BetrayedBy(originals.Networks.Places.Keys).SelectMany(Of).Where(text => text.Length >= (text.EndsWith('*') ? ShortestWithStar : Shortest)),
        .. originals.SecurityIds.Places.Keys.Where(originals.SecurityIds.IsBetrayed).SelectMany(text => Of(SecurityId.Parse(text)!)).Where(text => text.Length >= Shortest),
        .. originals.Guids.Places.Keys.Where(originals.Guids.IsBetrayed).Select(guid => guid.ToString()),
    ];

    // The domain by itself names somebody too.
    static IEnumerable<string> Of(SecurityId id) => id.Names.LastIndexOf('-') is > 0 and int account ? [id.Names, id.Names[..account]] : [id.Names];

    static IEnumerable<string> Of(IpAddress address)
    {
        byte[] bytes = new byte[16];
        bytes = bytes[..address.Write(bytes)];
        string reverse = address.IsIpv4
            ? string.Join('.', bytes.Reverse()) + ".in-addr"
            : string.Join('.', Convert.ToHexStringLower(bytes).Reverse()) + ".ip6";
        return [address.ToString(), Convert.ToHexStringLower(bytes), reverse];
    }

    static IEnumerable<string> Of(AddressPrefix network)
    {
        const int numberBits = 8;
        string text = network.ToString();
        int numbers = network.Bits / numberBits;
        bool isWhole = network.Address.IsIpv4 && numbers * numberBits == network.Bits && numbers > 0;
        return isWhole ? [text, string.Create(CultureInfo.InvariantCulture, $"{string.Join('.', network.Address.ToString().Split('.').Take(numbers))}.*")] : [text];
    }
}
