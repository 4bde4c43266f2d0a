using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Platform.Linux;
using TcpDiag.Simulator.Tests.Senders.Cases;
using TcpDiag.Testing;
using Xunit;
using Xunit.Abstractions;

namespace TcpDiag.Simulator.Tests.Senders.Kernel;

/// <summary>
/// The cases whose stack is Linux, played to this kernel: what can be seen of it from outside has to hold there too. On a real clock, so that a case which a
/// busy machine has delayed is played again.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class KernelCaseTests(ITestOutputHelper output)
{
    const string Namespace = "tcpdiag-case";
    const int Attempts = 4;

    // What these ask for is no setting of a namespace, or cannot be done to a kernel from outside.
    static readonly string[] NotPlayable =
    [
        "packetdrill/cubic-bulk-166k-idle-restart.scn", "packetdrill/cubic-bulk-166k.scn", // without HyStart, which is one setting for the whole machine
        "packetdrill/cubic-rack-reo-timeout.scn", // something outside holds its sending
        "undo/linux-sees-reordering.scn", // echoes timestamps
    ];

    static readonly string Folder = ProjectFolder.PathOf("tests", "scenarios", "sender");

    public static TheoryData<string> Linux =>
    [
        .. Directory.GetFiles(Folder, "*.scn", SearchOption.AllDirectories)
            .Where(IsOfLinux)
            .Select(path => Path.GetRelativePath(Folder, path))
            .Except(NotPlayable, StringComparer.Ordinal)
            .Order(StringComparer.Ordinal),
    ];

    [RootTheory]
    [MemberData(nameof(Linux))]
    public void Case_PlayedToTheKernel_HoldsWhatCanBeSeen(string name)
    {
        string[] wrong = [];
        for (int attempt = 0; attempt < Attempts; attempt++)
        {
            List<CaseStatement> statements = Play(name);
            wrong = [.. statements.Where(IsWrong).Select(one => string.Create(CultureInfo.InvariantCulture, $"{one.Place}, found {one.Found}"))];
            if (wrong.Length == 0)
            {
                output.WriteLine(FormattableString.Invariant($"{statements.Count(one => one.Holds is not null)} of {statements.Count} statements seen"));
                return;
            }
        }

        Assert.Fail(string.Join('\n', wrong));
    }

    // The source of these cases is a kernel: where the reference sender makes an exception, the kernel makes none.
    static bool IsWrong(CaseStatement one) => one.Holds is { } holds && holds != (one.Kind != StatementKind.ModelOnly);

    static List<CaseStatement> Play(string name)
    {
        List<CaseStatement> statements = [];
        NetworkNamespace.Create(Namespace);
        try
        {
            NetworkNamespace.Run(Namespace, () =>
            {
                KernelSender? sender = null;
                try
                {
                    new SenderCase(stack => sender = new KernelSender(stack), statements.Add).Play(Path.Combine(Folder, name));
                }
                finally
                {
                    sender?.Dispose();
                }
            });
        }
        finally
        {
            NetworkNamespace.Delete(Namespace);
        }

        return statements;
    }

    static bool IsOfLinux(string path) => File.ReadLines(path).Any(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries) is
        [_, "stack", "adaptive" or "ecn" or "fixed" or "no-sack", ..]);
}

/// <summary>A theory that needs root on Linux: it makes network namespaces.</summary>
[AttributeUsage(AttributeTargets.Method)]
sealed class RootTheoryAttribute : TheoryAttribute
{
    public RootTheoryAttribute() => Skip = SkipReason.Root();
}
