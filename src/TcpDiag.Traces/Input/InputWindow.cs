using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace TcpDiag.Traces.Input;

/// <summary>
/// A window that moves over an input: the bytes in it are contiguous and may be changed in place. The input is read in
/// chunks of 767 KiB, the next one ahead on a second thread. A record that crosses from one chunk into the next costs one
/// copy of its first part into the room kept in front of every chunk; nothing else is copied.
/// </summary>
sealed class InputWindow : IDisposable
{
    /// <summary>Maximum of bytes that can be asked for at once. No packet or block of a sane trace is larger; Wireshark draws the line here too.</summary>
    public const int MaxBytes = 16 << 20;

    // Room in front of a chunk for the begun record; a packet has at most 256 KiB (libpcap's MAXIMUM_SNAPLEN).
    const int HeadroomBytes = 257 << 10;

    // With the room in front just 1 MiB, which is what the pool hands out: two of them for each open trace.
    const int AheadBytes = (1 << 20) - HeadroomBytes;

    // What is read just before it is parsed should be near the processor then, and leave room for what the parser keeps.
    const int NearBytes = 1 << 17;

    readonly TraceInput _input;
    readonly bool _isLive;
    readonly bool _isReadAhead;
    readonly int _chunkBytes;
    ReadAhead? _readAhead;
    byte[] _buffer;
    byte[] _next;
    byte[]? _large;
    int _start;
    int _end;

    // Where in the input the first byte of the buffer would lie.
    long _offsetOfBuffer;
    bool _isAtEnd;

    /// <summary>Takes over an input and reads its first chunk.</summary>
    /// <param name="input">Not read from yet; closed with the window.</param>
    /// <param name="isLive">Whether chunks are what has arrived, instead of full ones.</param>
    /// <param name="isReadAhead">
    /// Whether a second thread reads ahead; when null, wherever it has something to gain: on one processor it would only take turns
    /// with this one, except where reading means waiting.
    /// </param>
    public InputWindow(TraceInput input, bool isLive = false, bool? isReadAhead = null)
    {
        _input = input;
        _isLive = isLive;
        _isReadAhead = isReadAhead ?? (isLive || !input.CanReadAt || Environment.ProcessorCount > 1);
        _chunkBytes = _isReadAhead ? AheadBytes : NearBytes;
        _buffer = ArrayPool<byte>.Shared.Rent(HeadroomBytes + _chunkBytes);
        _next = [];
        _start = HeadroomBytes;
        _offsetOfBuffer = -HeadroomBytes;
        Span<byte> chunk = _buffer.AsSpan(HeadroomBytes, _chunkBytes);
        int count = isLive ? input.ReadSome(chunk) : input.Read(chunk);
        _end = HeadroomBytes + count;
        _isAtEnd = IsLast(count);
    }

    /// <summary>The bytes read and not yet stepped over; valid until <see cref="TryFill"/>.</summary>
    public Span<byte> Available => MemoryMarshal.CreateSpan(ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_buffer), _start), _end - _start);

    /// <summary>Offset in the input of the first available byte.</summary>
    public long Offset => _offsetOfBuffer + _start;

    /// <summary>How much of the input was read, 0 … 1; null where its length is not known.</summary>
    public double? ShareRead => _input.Length is > 0 and { } length ? Math.Clamp((double)Offset / length, 0, 1) : null;

    /// <summary>Why the input ended early, or null.</summary>
    public string? Damage => _input.Damage;

    /// <summary>Steps over bytes; they stay valid until <see cref="TryFill"/>.</summary>
    public void Advance(int count) => _start += count;

    /// <summary>Reads on until so many bytes are available. Memory grows with the bytes that arrive, not with the number asked for.</summary>
    public bool TryFill(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, MaxBytes);
        while (_end - _start < count)
        {
            if (_isAtEnd)
            {
                return false;
            }

            AppendChunk();
        }

        return true;
    }

    /// <summary>Steps over bytes that need not fit into memory.</summary>
    public bool TrySkip(long count)
    {
        while (count > _end - _start)
        {
            count -= _end - _start;
            Advance(_end - _start);
            if (_isAtEnd)
            {
                return false;
            }

            AppendChunk();
        }

        Advance((int)count);
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _start = _end = 0;
        _isAtEnd = true;
        bool isIdle = _readAhead is null || _readAhead.TryStop();
        _readAhead = null;
        if (isIdle)
        {
            _input.Dispose();
            Return(ref _buffer);
            Return(ref _next);
        }
    }

    static void Return(ref byte[] buffer)
    {
        if (buffer.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }

        buffer = [];
    }

    void AppendChunk()
    {
        if (_next.Length == 0)
        {
            // The first chunk was full, or the input is live: it is worth a second buffer, and perhaps a thread.
            _next = ArrayPool<byte>.Shared.Rent(HeadroomBytes + _chunkBytes);
            _readAhead = _isReadAhead ? new ReadAhead(_input, _isLive) : null;
            Request();
        }

        int count = _readAhead?.Take() ?? _input.Read(_next.AsSpan(HeadroomBytes, _chunkBytes));
        _isAtEnd = IsLast(count);
        int begun = _end - _start;
        if (begun <= HeadroomBytes)
        {
            MoveToNext(begun, count);
        }
        else
        {
            GrowLarge(begun, count);
        }

        if (!_isAtEnd)
        {
            Request();
        }
    }

    bool IsLast(int count) => count < (_isLive ? 1 : _chunkBytes);

    void Request() => _readAhead?.Request(_next.AsMemory(HeadroomBytes, _chunkBytes));

    void MoveToNext(int begun, int count)
    {
        _buffer.AsSpan(_start, begun).CopyTo(_next.AsSpan(HeadroomBytes - begun));
        if (_large is { } chunk)
        {
            // Leaving a large record: its buffer goes, the chunk set aside for it comes back.
            ArrayPool<byte>.Shared.Return(_buffer);
            _large = null;
            _buffer = chunk;
        }

        (_buffer, _next) = (_next, _buffer);
        _offsetOfBuffer = Offset - (HeadroomBytes - begun);
        _start = HeadroomBytes - begun;
        _end = HeadroomBytes + count;
    }

    void GrowLarge(int begun, int count)
    {
        if (_large is null || _buffer.Length - _end < count)
        {
            byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(2 * begun, begun + _chunkBytes));
            _buffer.AsSpan(_start, begun).CopyTo(larger);
            if (_large is null)
            {
                _large = _buffer;
            }
            else
            {
                ArrayPool<byte>.Shared.Return(_buffer);
            }

            _offsetOfBuffer = Offset;
            (_buffer, _start, _end) = (larger, 0, begun);
        }

        _next.AsSpan(HeadroomBytes, count).CopyTo(_buffer.AsSpan(_end));
        _end += count;
    }
}
