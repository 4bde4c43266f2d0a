using System;
using System.IO;
using System.Runtime.Versioning;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Lab.Topology;

/// <summary>
/// A network namespace that cannot be left behind for good. Beside it stands a file that its owner keeps locked; the lock goes with the process, however
/// it ends, and the next start removes every namespace whose file nobody holds. Devices, addresses and rules in a namespace go with it. A second lock, of the
/// folder, is held while files come and go, so that two starts never see each other halfway.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class NamespaceLease : IDisposable
{
    const string Suffix = ".netns";

    readonly FileStream _held;
    readonly string _path;

    NamespaceLease(string path, string name, FileStream held)
    {
        _path = path;
        _held = held;
        Name = name;
    }

    /// <summary>The namespace.</summary>
    public string Name { get; }

    /// <summary>Makes a namespace, having written down first that it will be there.</summary>
    /// <param name="folder">Where leases are kept, e.g. /run/tcpdiag; made if it is not there.</param>
    /// <param name="name">The namespace's name.</param>
    /// <returns>The lease; disposing of it removes the namespace.</returns>
    /// <exception cref="PlatformException">The system refused, or there is a namespace of that name.</exception>
    /// <exception cref="IOException">A living process holds a lease of that name.</exception>
    public static NamespaceLease Take(string folder, string name)
    {
        using FolderLock folderLock = FolderLock.Take(folder);
        string path = Path.Combine(folder, name + Suffix);
        bool wasLeft = File.Exists(path);
        FileStream held = new(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        try
        {
            if (wasLeft)
            {
                // Its owner died behind the last look at what is abandoned.
                Remove(name);
            }

            NetworkNamespace.Create(name);
        }
        catch (PlatformException)
        {
            held.Dispose();
            File.Delete(path);
            throw;
        }

        return new NamespaceLease(path, name, held);
    }

    /// <summary>Removes what processes left behind that ended without doing it.</summary>
    /// <param name="folder">Where leases are kept.</param>
    /// <returns>How many namespaces were removed.</returns>
    public static int RemoveAbandoned(string folder)
    {
        if (!Directory.Exists(folder))
        {
            return 0;
        }

        int removed = 0;
        using FolderLock folderLock = FolderLock.Take(folder);
        foreach (string path in Directory.GetFiles(folder, "*" + Suffix))
        {
            removed += TryRemove(path) ? 1 : 0;
        }

        return removed;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        using FolderLock folderLock = FolderLock.Take(Path.GetDirectoryName(_path)!);
        Remove(Name);
        File.Delete(_path);
        _held.Dispose();
    }

    // A socket that still has something to send outlives its program, and its namespace lives on with it, without a name: its events would come into
    // the captures of the next run, which has the same addresses.
    static void Remove(string name)
    {
        LeftSockets.Destroy(name);
        NetworkNamespace.Delete(name);
    }

    static bool TryRemove(string path)
    {
        try
        {
            using FileStream held = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
            Remove(Path.GetFileNameWithoutExtension(path));
            File.Delete(path);
            return true;
        }
        catch (IOException)
        {
            // Its owner lives.
            return false;
        }
    }
}
