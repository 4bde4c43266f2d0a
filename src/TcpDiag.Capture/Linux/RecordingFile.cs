using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.Versioning;
using TcpDiag.Capture.Linux.Snapshots;
using TcpDiag.Platform.Linux;
using TcpDiag.Traces;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux;

/// <summary>
/// The pcapng output of a recording: packets, and stack events as journal entries. It may continue in further pieces, each a file of its own.
/// </summary>
sealed class RecordingFile : IRecordWriter, IDisposable
{
    readonly PcapngWriterOptions _options;
    readonly IOutputFiles _files;
    readonly List<TraceInterface> _interfaces = [];
    readonly long _maxBytes;
    PcapngWriter _writer;
    bool _hasRotated;

    /// <summary>Begins the file.</summary>
    /// <param name="open">Opens where it goes, closed with the file; of a split recording each piece, closed before the next.</param>
    /// <param name="settings">What is recorded.</param>
    /// <param name="comment">Facts about the machine.</param>
    /// <exception cref="CaptureException">The folder of a ring is in use.</exception>
    public RecordingFile(Func<Stream> open, CaptureSettings settings, string comment)
    {
        _maxBytes = settings.MaxBytes;
        _options = new()
        {
            OperatingSystem = SystemReport.OperatingSystem(),
            Application = "tcpdiag",
            Comment = comment,
            SnapLength = settings.SnapLength,
        };
        _files = settings.IsRing ? new RingOutput(settings, open)
            : settings.IsSplit ? new SplitOutput(settings, open)
            : new SingleOutput(open);
        _writer = new(_files.Open(), _options);
        _files.Begin(Libc.Now(Libc.ClockRealtime), _writer.Length, previousBytes: 0);
    }

    /// <summary>Bytes written so far; of a ring, to its latest piece.</summary>
    public long Length => _writer.Length + _files.CompleteBytes;

    /// <summary>Bytes that closing will write again, on the same disk.</summary>
    public long BytesToCollect => _files.BytesToCollect + (_files.EndsAtSize ? 0 : _writer.Length);

    /// <summary>Whether the file has its maximum size. A ring never ends by it.</summary>
    public bool IsFull => _files.EndsAtSize && Length >= _maxBytes;

    /// <summary>Time of the oldest record kept by a ring that has discarded some, nanoseconds on the realtime clock; null when all is there.</summary>
    public long? KeptFromNanos => _files.KeptFromNanos;

    /// <summary>The interfaces described so far, by their numbers.</summary>
    public IReadOnlyList<TraceInterface> Interfaces => _interfaces;

    public int AddInterface(TraceInterface description)
    {
        _interfaces.Add(description);
        return _writer.WriteInterface(description);
    }

    /// <summary>Whether the recording has begun a new piece since the last call: what is written once per file must be repeated.</summary>
    public bool TakeRotated()
    {
        bool rotated = _hasRotated;
        _hasRotated = false;
        return rotated;
    }

    public void Write(TraceTime time, PendingRecord record, ReadOnlySpan<byte> data)
    {
        if (_files.IsDue(time.Nanoseconds, _writer.Length))
        {
            Rotate(time);
        }

        if (record.IsEvent)
        {
            _writer.WriteJournalEntry(data);
            return;
        }

        var packet = new TraceRecord
        {
            Kind = TraceRecordKind.Packet,
            Time = time,
            Data = data,
            InterfaceIndex = record.InterfaceId,
            OriginalLength = record.OriginalLength,
            Direction = record.Direction,
        };
        _writer.WritePacket(in packet);
    }

    /// <summary>Writes what was counted at an interface.</summary>
    public void WriteStatistics(int id, TraceTime time, long received, long dropped) =>
        _writer.WriteInterfaceStatistics(id, time, received, dropped);

    /// <summary>Flushes what was written so far, so that a reader finds it now or after a crash.</summary>
    public void Flush() => _writer.Flush();

    public void Dispose()
    {
        _writer.Dispose();
        _files.Finish();
    }

    void Rotate(TraceTime time)
    {
        _writer.Dispose();
        long previous = _writer.Length;
        _writer = new(_files.Open(), _options);
        foreach (TraceInterface description in _interfaces)
        {
            _writer.WriteInterface(description);
        }

        _files.Begin(time.Nanoseconds, _writer.Length, previous);
        _hasRotated = true;
    }
}

/// <summary>Ends a recording before it fills the disk: other programs need space too, and so does the end of the recording itself.</summary>
sealed class DiskWatch(string folder)
{
    const long ReserveBytes = 64L << 20;

    readonly DriveInfo _disk = new(folder);

    /// <summary>Whether there was too little space at the latest check.</summary>
    public bool IsNearlyFull { get; private set; }

    /// <summary>Refuses a recording that would have to end immediately.</summary>
    /// <param name="folder">Where it goes; null where nothing is written to a disk.</param>
    /// <exception cref="CaptureException">The disk is nearly full.</exception>
    public static void Require(string? folder)
    {
        if (folder is not null && Directory.Exists(folder) && new DriveInfo(folder).AvailableFreeSpace is var free && free < ReserveBytes)
        {
            throw new CaptureException(FormattableString.Invariant(
                $"{folder} has {free / 1e6:F0} MB left; recording stops at {ReserveBytes / 1e6:F0} MB. Make room, or choose another folder with --out."));
        }
    }

    /// <summary>Checks the free space.</summary>
    /// <param name="needed">Bytes that the end of the recording will write.</param>
    public void Look(long needed) => IsNearlyFull = _disk.AvailableFreeSpace - needed < ReserveBytes;
}

/// <summary>
/// A file with a single recorder, readable by its user alone. Its previous content stays until the first byte is written, so that a recording that
/// never begins does not destroy an earlier one; a second recorder is refused, while readers may read what is there.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class ExclusiveFile : FileStream
{
    // F_OFD_SETLK (fcntl(2)): a lock of the open file, not of the process; .NET's own are flock(2) and do not conflict with it.
    const int SetLock = 37;

    bool _isBegun;

    /// <summary>Opens a file.</summary>
    /// <param name="path">Its name; created where it is not there.</param>
    /// <exception cref="CaptureException">Another recording goes into it.</exception>
    /// <exception cref="IOException">It cannot be written.</exception>
    public ExclusiveFile(string path)
        : base(path, new FileStreamOptions
        {
            Mode = FileMode.OpenOrCreate,
            Access = FileAccess.Write,
            BufferSize = 0,
            UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
        })
    {
        var wanted = new FileLock { Type = FileLock.Write };
        if (CanSeek && Libc.FileControl(SafeFileHandle, SetLock, wanted) != 0 && Libc.LastError() is Errno.TryAgain or Errno.AccessDenied)
        {
            Dispose();
            throw new CaptureException($"{path} is being written by another recording: wait for it or choose another name.");
        }
    }

    /// <inheritdoc/>
    /// <remarks>All other write overloads end up here.</remarks>
    public override void Write(byte[] buffer, int offset, int count)
    {
        if (!_isBegun && CanSeek && Length > 0)
        {
            SetLength(0); // a device has no length, and takes none
        }

        _isBegun = true;
        base.Write(buffer, offset, count);
    }
}
