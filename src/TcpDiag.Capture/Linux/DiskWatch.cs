using System;
using System.IO;

namespace TcpDiag.Capture.Linux;

/// <summary>Ends a recording before it fills the disk: other programs need room, too, and the end of the recording itself.</summary>
/// <param name="folder">A folder on the disk.</param>
sealed class DiskWatch(string folder)
{
    const long ReserveBytes = 64L << 20;

    readonly DriveInfo _disk = new(folder);

    /// <summary>Whether there was too little room when it was looked at last.</summary>
    public bool IsNearlyFull { get; private set; }

    /// <summary>Refuses a recording that would have to end at once.</summary>
    /// <param name="folder">Where it goes; null for nowhere that fills.</param>
    /// <exception cref="CaptureException">The disk is nearly full.</exception>
    public static void Require(string? folder)
    {
        if (folder is not null && Directory.Exists(folder) && new DriveInfo(folder).AvailableFreeSpace is var free && free < ReserveBytes)
        {
            throw new CaptureException(FormattableString.Invariant(
                $"{folder} has {free / 1e6:F0} MB left; recording stops at {ReserveBytes / 1e6:F0} MB. Make room, or choose another folder with --out."));
        }
    }

    /// <summary>Looks how much room there is.</summary>
    /// <param name="needed">Bytes that the end of the recording will write.</param>
    public void Look(long needed) => IsNearlyFull = _disk.AvailableFreeSpace - needed < ReserveBytes;
}
