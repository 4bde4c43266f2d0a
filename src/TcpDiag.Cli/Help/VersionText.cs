using System.CommandLine;
using System.CommandLine.Invocation;
using System.Reflection;
using System.Runtime.InteropServices;

namespace TcpDiag.Cli.Help;

/// <summary>Prints which program this is: version, commit it was built from where that is known, and platform.</summary>
sealed class VersionText : SynchronousCommandLineAction
{
    const int CommitDigits = 12;

    /// <summary>Version without the commit, e.g. <c>0.1.0</c>.</summary>
    public static string Version => Informational.Split('+')[0];

    static string Informational =>
        typeof(VersionText).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "unknown";

    /// <inheritdoc/>
    public override bool ClearsParseErrors => true;

    /// <inheritdoc/>
    public override int Invoke(ParseResult parseResult)
    {
        parseResult.InvocationConfiguration.Output.WriteLine(Of(Informational, RuntimeInformation.RuntimeIdentifier));
        return ExitCode.Done;
    }

    /// <summary>The line.</summary>
    /// <param name="version">Version, and behind a plus sign the commit where it is known (the SDK writes both).</param>
    /// <param name="platform">Of the runtime, e.g. <c>win-x64</c>.</param>
    /// <returns>E.g. <c>tcpdiag 0.1.0 (commit 5735ae02bfee, linux-x64)</c>.</returns>
    public static string Of(string version, string platform) => version.Split('+') is [var number, { Length: >= CommitDigits } commit]
        ? $"tcpdiag {number} (commit {commit[..CommitDigits]}, {platform})"
        : $"tcpdiag {version} ({platform})";
}
