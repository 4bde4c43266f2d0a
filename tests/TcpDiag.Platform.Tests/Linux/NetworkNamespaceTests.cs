using System;
using System.Diagnostics;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Platform.Linux;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Platform.Tests.Linux;

/// <summary>Namespaces beside those of ip(8).</summary>
public sealed class NetworkNamespaceTests
{
    const nuint MountPrivate = 0x40000; // <sys/mount.h>

    [RootFact]
    public Task Delete_OfOneMadeBeforeTheFirstOfIp_LeavesNoFile() => InFilesOfItsOwn(() =>
    {
        Assert.Equal(0, Libc.Mount("none", "/run", "tmpfs", 0)); // as after the start of a machine: no namespace was made yet
        NetworkNamespace.Create("tcpdiag-test-a");
        using (Process ip = Process.Start("ip", ["netns", "add", "tcpdiag-test-b"]))
        {
            ip.WaitForExit();
            Assert.Equal(0, ip.ExitCode);
        }

        NetworkNamespace.Delete("tcpdiag-test-a");
        NetworkNamespace.Delete("tcpdiag-test-b");

        Assert.Empty(Directory.GetFiles("/run/netns"));
    });

    // On a thread whose mounts nobody else sees, and which ends with the test; threads and processes that it starts see them too.
    static Task InFilesOfItsOwn(Action test) => Task.Factory.StartNew(
        () =>
        {
            Assert.Equal(0, Libc.Unshare(Libc.CloneNewFiles));
            Assert.Equal(0, Libc.Mount(null, "/", null, MountPrivate | Libc.MountRecursive));
            test();
        },
        CancellationToken.None,
        TaskCreationOptions.LongRunning,
        TaskScheduler.Default);
}
