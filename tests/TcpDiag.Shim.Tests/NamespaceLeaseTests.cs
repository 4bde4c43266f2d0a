using System;
using System.IO;
using System.Runtime.Versioning;
using TcpDiag.Shim.Linux;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Shim.Tests;

[SupportedOSPlatform("linux")]
public sealed class NamespaceLeaseTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag").FullName;
    readonly string _name = FormattableString.Invariant($"tdl{Environment.ProcessId % 100_000}");

    string LeaseFile => Path.Combine(_folder, _name + ".netns");

    string Mount => Path.Combine("/run/netns", _name);

    public void Dispose()
    {
        NetworkNamespace.Delete(_name);
        Directory.Delete(_folder, recursive: true);
    }

    [RootFact]
    public void RemoveAbandoned_OwnerLives_LeavesItAlone()
    {
        using NamespaceLease lease = NamespaceLease.Take(_folder, _name);

        Assert.Equal(0, NamespaceLease.RemoveAbandoned(_folder));
        Assert.True(File.Exists(Mount));
    }

    [RootFact]
    public void RemoveAbandoned_OwnerDied_RemovesNamespaceAndLease()
    {
        // What a killed process leaves: the namespace, and a file nobody locks.
        NetworkNamespace.Create(_name);
        File.WriteAllBytes(LeaseFile, []);

        Assert.Equal(1, NamespaceLease.RemoveAbandoned(_folder));
        Assert.False(File.Exists(Mount));
        Assert.False(File.Exists(LeaseFile));
    }

    [RootFact]
    public void RemoveAbandoned_DiedBeforeTheNamespaceWasMade_RemovesTheLease()
    {
        File.WriteAllBytes(LeaseFile, []);

        Assert.Equal(1, NamespaceLease.RemoveAbandoned(_folder));
        Assert.Empty(Directory.GetFiles(_folder, "*.netns"));
    }

    [RootFact]
    public void Take_OwnerDiedAfterTheLastLook_TakesItOver()
    {
        NetworkNamespace.Create(_name);
        File.WriteAllBytes(LeaseFile, []);

        using (NamespaceLease.Take(_folder, _name))
        {
            Assert.True(File.Exists(Mount));
        }

        Assert.False(File.Exists(Mount));
    }

    [RootFact]
    public void Dispose_RemovesNamespaceAndLease()
    {
        NamespaceLease.Take(_folder, _name).Dispose();

        Assert.False(File.Exists(Mount));
        Assert.Empty(Directory.GetFiles(_folder, "*.netns"));
    }

    [RootFact]
    public void Take_NameInUse_SaysHowToRemoveIt()
    {
        NetworkNamespace.Create(_name);

        ShimException refused = Assert.Throws<ShimException>(() => NamespaceLease.Take(_folder, _name));
        Assert.Contains($"ip netns del {_name}", refused.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_folder, "*.netns"));
    }

    [Fact]
    public void RemoveAbandoned_NoFolder_IsNothingToDo() => Assert.Equal(0, NamespaceLease.RemoveAbandoned(Path.Combine(_folder, "none")));
}
