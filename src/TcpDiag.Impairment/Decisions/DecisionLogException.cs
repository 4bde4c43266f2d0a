using System;
using System.Globalization;

namespace TcpDiag.Impairment.Decisions;

/// <summary>A file that is no decision log, or a damaged one.</summary>
public sealed class DecisionLogException : Exception
{
    /// <summary>Damage at a place.</summary>
    /// <param name="offset">Byte offset in the log.</param>
    /// <param name="expected">What should stand there.</param>
    /// <param name="found">What does.</param>
    public DecisionLogException(long offset, string expected, string found)
        : base(string.Create(CultureInfo.InvariantCulture, $"decision log@0x{offset:x}: expected {expected}, found {found}."))
    {
    }
}
