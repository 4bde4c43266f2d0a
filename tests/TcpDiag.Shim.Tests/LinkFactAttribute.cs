using System;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Shim.Tests;

/// <summary>A fact of <see cref="LinkConformance"/>: here through TUN devices.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LinkFactAttribute : FactAttribute
{
    public LinkFactAttribute() => Skip = SkipReason.Root();
}
