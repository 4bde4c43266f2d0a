using System;
using System.IO;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>The native program of a release; test.sh makes it.</summary>
static class NativeProgram
{
    public static string Path { get; } = ProjectFolder.PathOf("artifacts", "native", "tcpdiag");

    public static string? WhyNot() =>
        SkipReason.Linux() ?? (IsOfThisBuild ? null
            : "system: no native program of this build; ./test.sh --full makes it where gcc and its packages are to be had");

    static bool IsOfThisBuild =>
        File.Exists(Path) && File.GetLastWriteTimeUtc(Path) > File.GetLastWriteTimeUtc(System.IO.Path.Join(AppContext.BaseDirectory, "tcpdiag.dll"));
}

/// <summary>A theory about the native program.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NativeTheoryAttribute : TheoryAttribute
{
    public NativeTheoryAttribute() => Skip = NativeProgram.WhyNot();
}

/// <summary>A theory about the native program, on files of ../shared.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NativeSharedTheoryAttribute : TheoryAttribute
{
    public NativeSharedTheoryAttribute() => Skip = SkipReason.Shared() ?? NativeProgram.WhyNot();
}

/// <summary>A fact about the native program that needs root.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NativeRootFactAttribute : FactAttribute
{
    public NativeRootFactAttribute() => Skip = SkipReason.Root() ?? NativeProgram.WhyNot();
}

/// <summary>A fact about the native program.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class NativeFactAttribute : FactAttribute
{
    public NativeFactAttribute() => Skip = NativeProgram.WhyNot();
}
