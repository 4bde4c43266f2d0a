using System.IO;
using TcpDiag.Lab.Peers;
using Xunit;

namespace TcpDiag.Lab.Tests;

/// <summary>What a peer records is gone with it, also when it is killed.</summary>
public sealed class PeerFolderTests
{
    [Fact]
    public void RemoveAbandoned_KilledAndLive_TakesTheKilledAlone()
    {
        using var live = new PeerFolder();
        string killed = Make("in-use");
        string foreign = Make("something");

        PeerFolder.RemoveAbandoned();

        Assert.True(Directory.Exists(live.FullName));
        Assert.False(Directory.Exists(killed));
        Assert.True(Directory.Exists(foreign));
        Directory.Delete(foreign, recursive: true);
    }

    [Fact]
    public void Dispose_LeavesNothing()
    {
        string path;
        using (var folder = new PeerFolder())
        {
            path = folder.FullName;
            File.WriteAllText(Path.Combine(path, "receiver.pcapng"), "private");
        }

        Assert.False(Directory.Exists(path));
    }

    // As it is left behind: nobody holds its files.
    static string Make(string file)
    {
        string folder = Directory.CreateTempSubdirectory("tcpdiag-peer-").FullName;
        File.WriteAllText(Path.Combine(folder, "receiver.pcapng"), "private");
        File.WriteAllText(Path.Combine(folder, file), string.Empty);
        return folder;
    }
}
