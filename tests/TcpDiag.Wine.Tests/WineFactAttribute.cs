using System;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>A fact about the win-x64 build, run by Wine.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class WineFactAttribute : FactAttribute
{
    public WineFactAttribute() => Skip = WineProgram.WhyNot();
}

/// <summary>A theory about the win-x64 build, run by Wine.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class WineTheoryAttribute : TheoryAttribute
{
    public WineTheoryAttribute() => Skip = WineProgram.WhyNot();
}

/// <summary>A fact about the win-x64 build beside one that needs root on Linux.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class WineRootFactAttribute : FactAttribute
{
    public WineRootFactAttribute() => Skip = SkipReason.Root() ?? WineProgram.WhyNot();
}

/// <summary>A fact about the win-x64 build and the genuine WinDivert.dll of ../shared.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class DivertFactAttribute : FactAttribute
{
    public DivertFactAttribute() => Skip = SkipReason.Shared() ?? WineProgram.WhyNot();
}

/// <summary>A theory about the win-x64 build and the genuine WinDivert.dll of ../shared.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class DivertTheoryAttribute : TheoryAttribute
{
    public DivertTheoryAttribute() => Skip = SkipReason.Shared() ?? WineProgram.WhyNot();
}

/// <summary>A fact of the conformance suite of links (LinkConformance): here through the win-x64 build.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LinkFactAttribute : FactAttribute
{
    public LinkFactAttribute() => Skip = SkipReason.Root() ?? SkipReason.Shared() ?? WineProgram.WhyNot();
}
