using System;

namespace TcpDiag.Impairment;

/// <summary>A profile or an option that cannot be understood: says where, what was expected and what was found.</summary>
public sealed class ImpairmentException : Exception
{
    /// <summary>A text that cannot be understood.</summary>
    /// <param name="where">The option, or file:line:column.</param>
    /// <param name="expected">What would have been right, with an example.</param>
    /// <param name="found">What stands there.</param>
    public ImpairmentException(string where, string expected, string found)
        : base($"{where}: expected {expected}, found {found}.")
    {
    }
}
