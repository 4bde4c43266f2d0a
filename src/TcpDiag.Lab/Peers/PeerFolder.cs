using System;
using System.IO;

namespace TcpDiag.Lab.Peers;

/// <summary>
/// Where a peer keeps what it records until it was sent: somebody's private data, which must not stay behind. A file in the folder is held while its process lives, and the next
/// peer to start removes the folders whose file nobody holds.
/// </summary>
sealed class PeerFolder : IDisposable
{
    const string Prefix = "tcpdiag-peer-";
    const string HeldName = "in-use";

    readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory(Prefix);
    readonly FileStream _held;

    /// <summary>Makes one among the temporary files.</summary>
    public PeerFolder() => _held = Hold(FullName, FileMode.CreateNew);

    /// <summary>Its path.</summary>
    public string FullName => _folder.FullName;

    /// <summary>Removes what peers have left that were killed; what cannot be removed, or is another user's, stays.</summary>
    public static void RemoveAbandoned()
    {
        foreach (string folder in Directory.GetDirectories(Path.GetTempPath(), Prefix + "*"))
        {
            try
            {
                Hold(folder, FileMode.Open).Dispose();
                Directory.Delete(folder, recursive: true);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // Its peer is alive, or it is none of ours.
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _held.Dispose();
        _folder.Delete(recursive: true);
    }

    static FileStream Hold(string folder, FileMode mode) => new(Path.Combine(folder, HeldName), mode, FileAccess.ReadWrite, FileShare.None);
}
