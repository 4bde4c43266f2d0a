using System;

namespace TcpDiag.Traces.Input;

/// <summary>Says in messages what was found where something else was expected.</summary>
static class FoundBytes
{
    const int ShownBytes = 16;

    /// <summary>The first bytes in hexadecimal.</summary>
    /// <param name="bytes">What was found.</param>
    /// <returns>E.g. <c>7f454c46…</c>, or <c>nothing</c>.</returns>
    public static string Describe(ReadOnlySpan<byte> bytes) => bytes.Length switch
    {
        0 => "nothing",
        <= ShownBytes => Convert.ToHexStringLower(bytes),
        _ => $"{Convert.ToHexStringLower(bytes[..ShownBytes])}…",
    };
}
