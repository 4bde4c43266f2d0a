using System;

namespace TcpDiag.Wire.Matching;

/// <summary>A match that cannot be understood, or not be carried out: says where, what was expected and what was found.</summary>
public sealed class MatchException : Exception
{
    /// <summary>A text that cannot be understood.</summary>
    /// <param name="where">Which word.</param>
    /// <param name="expected">What would have been right, with an example.</param>
    /// <param name="found">What stands there.</param>
    public MatchException(string where, string expected, string found)
        : base($"{where}: expected {expected}, found {found}.")
    {
    }
}
