using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace TcpDiag.Redaction.Verification;

/// <summary>Searches every byte of files for original values: as text of 8-bit and 16-bit units, and in binary form, forwards and backwards.</summary>
sealed class ByteSearch
{
    // Pieces overlap by more than the longest relevant pattern.
    const int PieceBytes = 1 << 20;
    const int OverlapBytes = 1 << 10;
    const int LongestBinary = 60; // 15 subauthorities of a security identifier

    readonly BinaryPatterns _binary;
    readonly WordPatterns _narrow;
    readonly WordPatterns _wide;
    readonly AddressPatterns _addresses;
    readonly char[] _units = new char[PieceBytes];
    readonly Dictionary<(RedactionKind Kind, string Source), (long Count, long First)> _found = [];

    public ByteSearch(OriginalValues originals, long fileBytes)
    {
        _binary = new BinaryPatterns(originals, fileBytes);
        List<string> words = [.. originals.Words.Keys.Where(originals.IsLeak), .. originals.Macs.Keys.Where(originals.IsLeak).SelectMany(MacTexts)];
        _addresses = new AddressPatterns(IdentifierTexts.Of(originals));
        _narrow = new WordPatterns(words, isWide: false);
        _wide = new WordPatterns(words, isWide: true);
        ValuesSearched = _binary.Searched + _narrow.Searched + _addresses.Searched;
        ValuesLeftOut = _binary.LeftOut + originals.Words.Count - originals.Words.Keys.Count(word => originals.IsLeak(word) && word.Length >= 5);
    }

    /// <summary>Distinct values that are searched for.</summary>
    public long ValuesSearched { get; }

    /// <summary>Distinct values that are not searched for.</summary>
    public long ValuesLeftOut { get; }

    public long Bytes { get; private set; }

    public IEnumerable<RedactionLeak> Leaks =>
        _found.Select(found => new RedactionLeak(found.Key.Kind, found.Key.Source, found.Value.Count, found.Value.First));

    public void Search(Stream stream, string source, CancellationToken cancellation)
    {
        byte[] piece = new byte[PieceBytes];
        int kept = 0;
        long offset = 0;
        bool isLast = false;
        while (!isLast)
        {
            cancellation.ThrowIfCancellationRequested();
            int length = kept + stream.ReadAtLeast(piece.AsSpan(kept), piece.Length - kept, throwOnEndOfStream: false);
            isLast = length < piece.Length;
            int searched = isLast ? length : length - OverlapBytes;
            Search(piece.AsSpan(0, length), searched, offset, source);
            kept = length - searched;
            piece.AsSpan(searched, kept).CopyTo(piece);
            offset += searched;
        }

        Bytes += offset;
    }

    // A match that begins behind the limit is left to the next piece.
    void Search(ReadOnlySpan<byte> bytes, int limit, long offset, string source)
    {
        SearchBinary(bytes, limit, offset, source);
        Span<char> units = _units.AsSpan(0, bytes.Length);
        Encoding.Latin1.GetChars(bytes, units);
        SearchWords(_narrow, units, limit, 1, offset, source);
        SearchWords(_wide, MemoryMarshal.Cast<byte, char>(bytes), limit, 2, offset, source);
        if (bytes.Length > 1)
        {
            SearchWords(_wide, MemoryMarshal.Cast<byte, char>(bytes[1..]), limit, 2, offset + 1, source);
        }
    }

    void SearchBinary(ReadOnlySpan<byte> bytes, int limit, long offset, string source)
    {
        if (_binary.Searched == 0)
        {
            return;
        }

        for (int at = 0; at < limit && at + sizeof(uint) <= bytes.Length; at++)
        {
            if (_binary.TryMatch(bytes.Slice(at, Math.Min(LongestBinary, bytes.Length - at)), out RedactionKind kind))
            {
                Note(kind, source, offset + at);
            }
        }
    }

    void SearchWords(WordPatterns patterns, ReadOnlySpan<char> text, int limit, int unitBytes, long offset, string source)
    {
        if (patterns.Searched > 0)
        {
            for (int at = patterns.Find(text, 0); at >= 0 && at * unitBytes < limit; at = at + 1 < text.Length ? patterns.Find(text, at + 1) : -1)
            {
                Note(RedactionKind.Words, source, offset + (at * unitBytes));
            }
        }

        if (_addresses.Searched > 0)
        {
            for (int at = _addresses.Find(text, 0); at >= 0 && at * unitBytes < limit; at = _addresses.Find(text, at + 1))
            {
                Note(RedactionKind.Words, source, offset + (at * unitBytes));
            }
        }
    }

    void Note(RedactionKind kind, string source, long offset)
    {
        (long count, long first) = _found.GetValueOrDefault((kind, source), (0, offset));
        _found[(kind, source)] = (count + 1, first);
    }

    static IEnumerable<string> MacTexts(ulong mac)
    {
        byte[] bytes = new byte[LinkAddressMap.Bytes];
        LinkAddressMap.Write(bytes, mac);
        string text = LinkAddressMap.ToText(mac);
        return [Convert.ToHexStringLower(bytes), text, text.Replace(':', '-')];
    }
}
