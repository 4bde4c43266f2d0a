using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux;

/// <summary>
/// The last minutes of a recording, in eight pieces and the one being written: a piece goes when those behind it reach back far
/// enough, or when all of them together are too large. After a crash the pieces are still there, each a file of its own.
/// </summary>
sealed class SegmentRing : ISegments, IDisposable
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
    readonly long _nanoseconds;
    readonly long _maxBytes;
    readonly Queue<Segment> _complete = new();
    FileStream? _held;
    int _number;

    /// <summary>Creates an empty ring.</summary>
    /// <param name="settings">How much is kept, and where.</param>
    /// <param name="open">Opens what takes the pieces together at the end, at once; closed by <see cref="Finish"/>.</param>
    /// <exception cref="CaptureException">An earlier recording has left its pieces there.</exception>
    public SegmentRing(CaptureSettings settings, Func<Stream> open)
    {
        _folder = settings.RingFolder ?? Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        _nanoseconds = settings.RingTime is { } time ? time.Ticks * NanosecondsPerTick : long.MaxValue;
        _maxBytes = settings.MaxBytes;
        if (Directory.Exists(_folder))
        {
            throw new CaptureException($"{_folder} is there: pieces of a ring that an earlier recording did not come to collect. Each is a trace; look into them, remove the folder, and try again.");
        }

        _ = OperatingSystem.IsWindows() ? Directory.CreateDirectory(_folder) : Directory.CreateDirectory(_folder, Private);
        _output = open();
    }

    /// <summary>Whether a recorder has put a file into the folder of a ring.</summary>
    /// <param name="name">Its name.</param>
    /// <returns>True for a piece, and for the snapshot of the beginning.</returns>
    public static bool IsPiece(string name) =>
        name is BundleManifest.SnapshotName || (name.EndsWith(PieceEnd, StringComparison.Ordinal) && name.Length >= PieceDigits + PieceEnd.Length && name.AsSpan(0, name.Length - PieceEnd.Length).IndexOfAnyExceptInRange('0', '9') < 0);

    /// <inheritdoc/>
    /// <remarks>None stays for sure.</remarks>
    public long CompleteBytes => 0;

    /// <inheritdoc/>
    public long BytesToCollect => _complete.Sum(piece => piece.Bytes);

    /// <inheritdoc/>
    public bool EndsAtSize => false;

    /// <inheritdoc/>
    public long? KeptFrom => HasForgotten ? Oldest : null;

    /// <summary>The piece being written.</summary>
    public Segment? Current { get; private set; }

    /// <summary>Whether something was given up, for its age or for all there is.</summary>
    public bool HasForgotten { get; private set; }

    /// <summary>When the first record of the oldest piece happened.</summary>
    public long Oldest => (_complete.TryPeek(out Segment? first) ? first : Current)!.Begun;

    /// <inheritdoc/>
    public bool IsDue(long now, long bytes) => bytes >= _maxBytes / Pieces || now - Current!.Begun >= _nanoseconds / Pieces;

    /// <inheritdoc/>
    public Stream Open() => new FileStream(NextPath(), FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);

    /// <inheritdoc/>
    /// <remarks>Gives up what is not needed any more.</remarks>
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

    /// <summary>Puts the pieces together into one file, the head of the first standing for all.</summary>
    /// <param name="output">Takes it.</param>
    public void CopyTo(Stream output)
    {
        bool isFirst = true;
        foreach (Segment piece in _complete.Append(Current!))
        {
            using FileStream source = File.OpenRead(piece.Path);
            source.Position = isFirst ? 0 : piece.HeadBytes;
            source.CopyTo(output);
            isFirst = false;
        }
    }

    /// <inheritdoc/>
    /// <remarks>The pieces stay where they are until the file is whole.</remarks>
    public void Finish()
    {
        CopyTo(_output);
        _output.Dispose();
        Dispose();
    }

    /// <summary>Removes the pieces.</summary>
    public void Dispose()
    {
        _held?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    // At any moment a piece is open, also while one is closed and the next begins: by that a recovery tells that the recorder is alive.
    void Hold(string path)
    {
        FileStream? before = _held;
        _held = new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        before?.Dispose();
    }

    // What lies behind the oldest piece reaches back far enough.
    bool IsOld(long now)
    {
        Segment second = _complete.Skip(1).FirstOrDefault() ?? Current!;
        return now - second.Begun >= _nanoseconds;
    }

    string NextPath()
    {
        _number++;
        return CurrentPath();
    }

    string CurrentPath() => Path.Combine(_folder, string.Create(CultureInfo.InvariantCulture, $"{_number:D6}.pcapng"));
}
