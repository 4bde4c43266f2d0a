using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// Replaces the numbers of a security identifier that name somebody. Each follows from all in front of it, so that accounts of a domain stay in one, and has as many decimal digits as
/// the original, so that a text keeps its length: one that stands as bytes here and as text there gets the same pseudonym.
/// </summary>
/// <param name="key">Where the secret comes from.</param>
sealed class SecurityIdMap(RedactionKey key)
{
    readonly KeyedHash _hash = new(key, "security ids");

    /// <summary>Maps an identifier.</summary>
    /// <param name="id">The identifier.</param>
    /// <returns>The one that stands for it.</returns>
    public SecurityId Map(SecurityId id)
    {
        uint[] numbers = [.. id.SubAuthorities];
        byte[] before = new byte[sizeof(ulong) + (numbers.Length * sizeof(uint))];
        BinaryPrimitives.WriteUInt64LittleEndian(before, id.Authority);
        for (int i = 0; i < numbers.Length; i++)
        {
            int end = sizeof(ulong) + ((i + 1) * sizeof(uint));
            BinaryPrimitives.WriteUInt32LittleEndian(before.AsSpan(end - sizeof(uint)), numbers[i]);
            numbers[i] = i == 0 ? numbers[i] : Map(before.AsSpan(0, end), numbers[i]);
        }

        return new SecurityId(id.Authority, numbers);
    }

    // A remainder of 64 bits is as good as even.
    uint Map(ReadOnlySpan<byte> before, uint number)
    {
        Span<byte> hash = stackalloc byte[KeyedHash.Bytes];
        _hash.Compute(before, hash);
        ulong first = 0;
        ulong end = 10;
        while (end <= number)
        {
            first = end;
            end *= 10;
        }

        end = Math.Min(end, uint.MaxValue);
        return (uint)(first + (BinaryPrimitives.ReadUInt64LittleEndian(hash) % (end - first)));
    }
}
