using System;
using Xunit;

namespace TcpDiag.Testing;

/// <summary>A fact on files of ../shared, and on programs if any are named.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class SharedFactAttribute : FactAttribute
{
    public SharedFactAttribute(params string[] tools) => Skip = SkipReason.Shared() ?? SkipReason.Tools(tools);
}

/// <summary>A theory on files of ../shared, and on programs if any are named. Its data must not need the files.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class SharedTheoryAttribute : TheoryAttribute
{
    public SharedTheoryAttribute(params string[] tools) => Skip = SkipReason.Shared() ?? SkipReason.Tools(tools);
}

/// <summary>A fact that starts other programs, e.g. <c>[ToolFact("tshark")]</c>.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ToolFactAttribute : FactAttribute
{
    public ToolFactAttribute(params string[] tools) => Skip = SkipReason.Tools(tools);
}

/// <summary>A theory that starts other programs.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ToolTheoryAttribute : TheoryAttribute
{
    public ToolTheoryAttribute(params string[] tools) => Skip = SkipReason.Tools(tools);
}

/// <summary>A fact that asks dissect.etl, an independent .etl parser (<see cref="Peers.DissectPython"/>).</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class DissectFactAttribute : FactAttribute
{
    public DissectFactAttribute() => Skip = SkipReason.Dissect();
}

/// <summary>A fact that needs root on Linux, and programs if any are named (network namespaces: <c>ip</c>).</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RootFactAttribute : FactAttribute
{
    public RootFactAttribute(params string[] tools) => Skip = SkipReason.Root() ?? SkipReason.Tools(tools);
}

/// <summary>A fact about Linux and macOS: signals, pipes.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class UnixFactAttribute : FactAttribute
{
    public UnixFactAttribute() => Skip = SkipReason.Unix();
}

/// <summary>A theory about Linux and macOS.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class UnixTheoryAttribute : TheoryAttribute
{
    public UnixTheoryAttribute() => Skip = SkipReason.Unix();
}

/// <summary>A fact that leans on programs as Linux has them.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LinuxFactAttribute : FactAttribute
{
    public LinuxFactAttribute(params string[] tools) => Skip = SkipReason.Linux() ?? SkipReason.Tools(tools);
}

/// <summary>A fact about Windows itself.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class WindowsFactAttribute : FactAttribute
{
    public WindowsFactAttribute() => Skip = SkipReason.Windows();
}

/// <summary>A fact that takes minutes: runs with <c>./test.sh --long</c>.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LongFactAttribute : FactAttribute
{
    public LongFactAttribute() => Skip = SkipReason.Long();
}

/// <summary>A fact on files of ../shared that takes minutes.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LongSharedFactAttribute : FactAttribute
{
    public LongSharedFactAttribute() => Skip = SkipReason.Long() ?? SkipReason.Shared();
}

/// <summary>A fact that takes minutes and needs root on Linux.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LongRootFactAttribute : FactAttribute
{
    public LongRootFactAttribute() => Skip = SkipReason.Root() ?? SkipReason.Long();
}
