using System;

namespace TcpDiag.Profile;

/// <summary>A method as the runtime names it.</summary>
/// <param name="FullName">Class with its type arguments, and name.</param>
/// <param name="Signature">The types it returns and takes, as text.</param>
/// <param name="IlBytes">The size of its code.</param>
sealed record MethodName(string FullName, string Signature, int IlBytes)
{
    /// <summary>Whether it is the project's own.</summary>
    public bool IsOwn => FullName.StartsWith("TcpDiag.", StringComparison.Ordinal);

    /// <summary>Whether it is called on an object.</summary>
    public bool IsInstance => Signature.StartsWith("instance ", StringComparison.Ordinal);
}
