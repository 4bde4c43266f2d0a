using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux;

/// <summary>
/// The last minutes of a recording, in eight pieces and the one being written: a piece is deleted when the later ones reach back far
/// enough, or when all together are too large. After a crash the pieces are still there, each a readable file.
/// </summary>
sealed class RingOutput : IOutputFiles, IDisposable
{
    /// <summary>Names of pieces; their order is that of time.</summary>
    public const string Pattern = "*" + PieceEnd;

    const string PieceEnd = ".pcapng";
    const int PieceDigits = 6;

    const int Pieces = 8;
    const long NanosecondsPerTick = 100;
    const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    readonly Stream _output;
    readonly string _folder;
    readonly long _timeNanos;
    readonly long _maxBytes;
    readonly Queue<RingPiece> _complete = new();
    FileStream? _held;
    int _number;

    /// <summary>Creates an empty ring.</summary>
    /// <param name="settings">How much is kept, and where.</param>
    /// <param name="open">Opens what takes the pieces together at the end, at once; closed by <see cref="Finish"/>.</param>
    /// <exception cref="CaptureException">An earlier recording has left its pieces there.</exception>
    public RingOutput(CaptureSettings settings, Func<Stream> open)
    {
        _folder = settings.RingFolder ?? Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        _timeNanos = settings.RingTime is { } time ? time.Ticks * NanosecondsPerTick : long.MaxValue;
        _maxBytes = settings.MaxBytes;
        if (Directory.Exists(_folder))
        {
            throw new CaptureException($"{_folder} is there: pieces of a ring that an earlier recording did not come to collect. Each is a trace; "
                + "look into them, remove the folder, and try again.");
        }

        _ = OperatingSystem.IsWindows() ? Directory.CreateDirectory(_folder) : Directory.CreateDirectory(_folder, Private);
        _output = open();
    }

    /// <summary>Whether a file in the folder of a ring was put there by a recorder: a piece, or the snapshot of the beginning.</summary>
    /// <returns>True for a piece, and for the snapshot of the beginning.</returns>
    public static bool IsPiece(string name) =>
        name is BundleManifest.SnapshotName
        || (name.EndsWith(PieceEnd, StringComparison.Ordinal) && name.Length >= PieceDigits + PieceEnd.Length
            && name.AsSpan(0, name.Length - PieceEnd.Length).IndexOfAnyExceptInRange('0', '9') < 0);

    // Any piece may still be deleted.
    public long CompleteBytes => 0;

    public long BytesToCollect => _complete.Sum(piece => piece.Bytes);

    public bool EndsAtSize => false;

    public long? KeptFromNanos => HasForgotten ? OldestNanos : null;

    public RingPiece? Current { get; private set; }

    /// <summary>Whether a piece was discarded, by age or by total size.</summary>
    public bool HasForgotten { get; private set; }

    /// <summary>When the first record of the oldest piece happened.</summary>
    public long OldestNanos => (_complete.TryPeek(out RingPiece? first) ? first : Current)!.BegunNanos;

    public bool IsDue(long now, long bytes) => bytes >= _maxBytes / Pieces || now - Current!.BegunNanos >= _timeNanos / Pieces;

    public Stream Open() => new FileStream(NextPath(), FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);

    // Also deletes pieces that are no longer needed.
    public void Begin(long now, long headBytes, long previousBytes)
    {
        if (Current is { } previous)
        {
            previous.Bytes = previousBytes;
            _complete.Enqueue(previous);
        }

        Current = new(CurrentPath(), now, headBytes);
        Hold(Current.Path);
        while (_complete.Count > 0 && (IsOld(now) || _complete.Sum(piece => piece.Bytes) > _maxBytes - (_maxBytes / Pieces)))
        {
            File.Delete(_complete.Dequeue().Path);
            HasForgotten = true;
        }
    }

    /// <summary>Concatenates the pieces into one file with the header of the first.</summary>
    public void CopyTo(Stream output)
    {
        bool isFirst = true;
        foreach (RingPiece piece in _complete.Append(Current!))
        {
            using FileStream source = File.OpenRead(piece.Path);
            source.Position = isFirst ? 0 : piece.HeadBytes;
            source.CopyTo(output);
            isFirst = false;
        }
    }

    // The pieces stay where they are until the file is complete.
    public void Finish()
    {
        CopyTo(_output);
        _output.Dispose();
        Dispose();
    }

    public void Dispose()
    {
        _held?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    // A piece is held open at any moment, also between two pieces: recovery sees by it that the recorder is alive.
    void Hold(string path)
    {
        FileStream? before = _held;
        _held = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        before?.Dispose();
    }

    // The pieces after the oldest reach back far enough.
    bool IsOld(long now)
    {
        RingPiece second = _complete.Skip(1).FirstOrDefault() ?? Current!;
        return now - second.BegunNanos >= _timeNanos;
    }

    string NextPath()
    {
        _number++;
        return CurrentPath();
    }

    string CurrentPath() => Path.Combine(_folder, string.Create(CultureInfo.InvariantCulture, $"{_number:D6}.pcapng"));
}

/// <summary>A piece of a ring recording: a pcapng file that can be read alone.</summary>
/// <param name="Path">The file.</param>
/// <param name="BegunNanos">When its first record happened: realtime clock, nanoseconds.</param>
/// <param name="HeadBytes">Section header and interfaces at its beginning, which all pieces share.</param>
sealed record RingPiece(string Path, long BegunNanos, long HeadBytes)
{
    /// <summary>Its length once it is complete.</summary>
    public long Bytes { get; set; }
}
