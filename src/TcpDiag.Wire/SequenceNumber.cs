using System;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace TcpDiag.Wire;

/// <summary>
/// A TCP sequence number. Comparisons are modulo 2³² (RFC 9293 §3.4): one number is before another when the
/// way forward to it is shorter than 2³¹. That order is not transitive over the whole circle, so the type is
/// deliberately not <see cref="IComparable{T}"/>. Operators take references: most operands are fields of a connection's state, and
/// the compiler of a release would copy each before it is compared.
/// </summary>
/// <param name="Value">The 32 bits of the header, in host order.</param>
public readonly record struct SequenceNumber(uint Value)
{
    /// <summary>The distance from <paramref name="from"/> forward to <paramref name="to"/>, negative when it lies behind.</summary>
    /// <param name="to">The end point.</param>
    /// <param name="from">The starting point.</param>
    /// <returns>Bytes, −2³¹ … 2³¹−1.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int operator -(in SequenceNumber to, in SequenceNumber from) => unchecked((int)(to.Value - from.Value));

    /// <summary>The number <paramref name="bytes"/> further on, modulo 2³².</summary>
    /// <param name="start">The starting point.</param>
    /// <param name="bytes">Bytes of sequence space, negative to go back.</param>
    /// <returns>The moved number.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static SequenceNumber operator +(in SequenceNumber start, int bytes) => new(unchecked(start.Value + (uint)bytes));

    /// <summary>Whether <paramref name="left"/> comes before <paramref name="right"/>.</summary>
    /// <param name="left">First number.</param>
    /// <param name="right">Second number.</param>
    /// <returns>True when the way forward from left to right is 1 … 2³¹ bytes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool operator <(in SequenceNumber left, in SequenceNumber right) => unchecked((int)(left.Value - right.Value)) < 0;

    /// <summary>Whether <paramref name="left"/> comes after <paramref name="right"/>.</summary>
    /// <param name="left">First number.</param>
    /// <param name="right">Second number.</param>
    /// <returns>True when the way forward from right to left is 1 … 2³¹−1 bytes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool operator >(in SequenceNumber left, in SequenceNumber right) => unchecked((int)(left.Value - right.Value)) > 0;

    /// <summary>Whether <paramref name="left"/> comes before <paramref name="right"/> or equals it.</summary>
    /// <param name="left">First number.</param>
    /// <param name="right">Second number.</param>
    /// <returns>True when left is not after right.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool operator <=(in SequenceNumber left, in SequenceNumber right) => unchecked((int)(left.Value - right.Value)) <= 0;

    /// <summary>Whether <paramref name="left"/> comes after <paramref name="right"/> or equals it.</summary>
    /// <param name="left">First number.</param>
    /// <param name="right">Second number.</param>
    /// <returns>True when left is not before right.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool operator >=(in SequenceNumber left, in SequenceNumber right) => unchecked((int)(left.Value - right.Value)) >= 0;

    /// <inheritdoc/>
    public override string ToString() => Value.ToString(CultureInfo.InvariantCulture);
}
