using System;
using System.IO;
using System.Linq;

namespace TcpDiag.Testing;

/// <summary>
/// Why a test cannot run here, or null. Each reason begins with a fixed word and a colon (<c>shared:</c>, <c>tool:</c>,
/// <c>peer:</c>, <c>root:</c>, <c>system:</c>, <c>long:</c>, <c>quick:</c>), by which .ci/run tells what it must not accept.
/// </summary>
public static class SkipReason
{
    const string Quick = "quick: runs without ./test.sh --quick";

    public static string? Shared() => SharedFolder.Exists ? null : "shared: ../shared is not beside the project";

    public static string? Tools(params string[] names)
    {
        string? missing = names.FirstOrDefault(name => ExternalProgram.Find(name) is null);
        return IsQuick && names.Length > 0 ? Quick : missing is null ? null : $"tool: no {missing} on the path";
    }

    /// <summary>The Python of the virtual environment with dissect.etl is missing; test.sh makes it from ../shared/peers.</summary>
    public static string? Dissect() =>
        IsQuick ? Quick : Peers.DissectPython is null ? "peer: no dissect.etl; ./test.sh --full installs it from ../shared/peers" : null;

    public static string? Root() => IsQuick
        ? Quick
        : OperatingSystem.IsLinux() && Environment.UserName is "root" && Directory.Exists("/proc/sys/net") ? null : "root: needs root on Linux";

    public static string? Windows() => OperatingSystem.IsWindows() ? null : "system: needs Windows";

    public static string? Linux() => OperatingSystem.IsLinux() ? null : "system: needs Linux";

    public static string? Unix() => OperatingSystem.IsWindows() ? "system: needs Linux or macOS" : null;

    /// <summary>The test runs with <c>./test.sh --long</c> only.</summary>
    public static string? Long() => IsLong ? null : "long: runs with ./test.sh --long";

    /// <summary>Whether the quick forms were asked for (TCPDIAG_QUICK=1). Tests with the trait Needs=time have none: test.sh --quick leaves them out.</summary>
    public static bool IsQuick => Environment.GetEnvironmentVariable("TCPDIAG_QUICK") is "1";

    /// <summary>Whether the long forms were asked for (TCPDIAG_LONG=1).</summary>
    public static bool IsLong => Environment.GetEnvironmentVariable("TCPDIAG_LONG") is "1";
}
