using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;

namespace TcpDiag.Traces.Redaction.Verification;

/// <summary>Searches every byte of files for original values: as text of 8-bit and 16-bit units, and addresses in binary form, forwards and backwards.</summary>
sealed class ByteSearch
{
    // Pieces overlap by more than the longest pattern that matters.
    const int PieceBytes = 1 << 20;
    const int OverlapBytes = 1 << 10;
    const int LongestBinary = 60; // 15 numbers of a security identifier

    readonly BinaryPatterns _binary;
    readonly WordPatterns _narrow;
    readonly WordPatterns _wide;
    readonly AddressPatterns _addresses;
    readonly char[] _units = new char[PieceBytes];
    readonly Dictionary<(RedactionKind Kind, string Place), (long Count, long First)> _found = [];

    /// <summary>Prepares the search.</summary>
    /// <param name="originals">What to search for.</param>
    /// <param name="fileBytes">About how many bytes will be searched.</param>
    public ByteSearch(OriginalValues originals, long fileBytes)
    {
        _binary = new BinaryPatterns(originals, fileBytes);
        List<string> words = [.. originals.Words.Keys.Where(originals.IsBetrayed), .. originals.Macs.Keys.Where(originals.IsBetrayed).SelectMany(MacTexts)];
        _addresses = new AddressPatterns(IdentifierTexts.Of(originals));
        _narrow = new WordPatterns(words, isWide: false);
        _wide = new WordPatterns(words, isWide: true);
        ValuesSearched = _binary.Searched + _narrow.Searched + _addresses.Searched;
        ValuesLeftOut = _binary.LeftOut + originals.Words.Count - originals.Words.Keys.Count(word => originals.IsBetrayed(word) && word.Length >= 5);
    }

    /// <summary>Distinct values that are searched for.</summary>
    public long ValuesSearched { get; }

    /// <summary>Distinct values that are not.</summary>
    public long ValuesLeftOut { get; }

    /// <summary>Bytes searched so far.</summary>
    public long Bytes { get; private set; }

    /// <summary>What was found so far.</summary>
    public IEnumerable<RedactionLeak> Leaks => _found.Select(found => new RedactionLeak(found.Key.Kind, found.Key.Place, found.Value.Count, found.Value.First));

    /// <summary>Searches a stream.</summary>
    /// <param name="stream">Read to its end.</param>
    /// <param name="place">Its name in findings.</param>
    /// <param name="cancellation">Ends the search.</param>
    public void Search(Stream stream, string place, CancellationToken cancellation)
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
            Search(piece.AsSpan(0, length), searched, offset, place);
            kept = length - searched;
            piece.AsSpan(searched, kept).CopyTo(piece);
            offset += searched;
        }

        Bytes += offset;
    }

    // What begins behind the limit is left to the next piece.
    void Search(ReadOnlySpan<byte> bytes, int limit, long offset, string place)
    {
        SearchBinary(bytes, limit, offset, place);
        Span<char> units = _units.AsSpan(0, bytes.Length);
        Encoding.Latin1.GetChars(bytes, units);
        SearchWords(_narrow, units, limit, 1, offset, place);
        SearchWords(_wide, MemoryMarshal.Cast<byte, char>(bytes), limit, 2, offset, place);
        if (bytes.Length > 1)
        {
            SearchWords(_wide, MemoryMarshal.Cast<byte, char>(bytes[1..]), limit, 2, offset + 1, place);
        }
    }

    void SearchBinary(ReadOnlySpan<byte> bytes, int limit, long offset, string place)
    {
        if (_binary.Searched == 0)
        {
            return;
        }

        for (int at = 0; at < limit && at + sizeof(uint) <= bytes.Length; at++)
        {
            if (_binary.TryMatch(bytes.Slice(at, Math.Min(LongestBinary, bytes.Length - at)), out RedactionKind kind))
            {
                Note(kind, place, offset + at);
            }
        }
    }

    void SearchWords(WordPatterns patterns, ReadOnlySpan<char> text, int limit, int unitBytes, long offset, string place)
    {
        if (patterns.Searched > 0)
        {
            for (int at = patterns.Find(text, 0); at >= 0 && at * unitBytes < limit; at = at + 1 < text.Length ? patterns.Find(text, at + 1) : -1)
            {
                Note(RedactionKind.Words, place, offset + (at * unitBytes));
            }
        }

        if (_addresses.Searched > 0)
        {
            for (int at = _addresses.Find(text, 0); at >= 0 && at * unitBytes < limit; at = _addresses.Find(text, at + 1))
            {
                Note(RedactionKind.Words, place, offset + (at * unitBytes));
            }
        }
    }

    void Note(RedactionKind kind, string place, long offset)
    {
        (long count, long first) = _found.GetValueOrDefault((kind, place), (0, offset));
        _found[(kind, place)] = (count + 1, first);
    }

    static IEnumerable<string> MacTexts(ulong mac)
    {
        byte[] bytes = new byte[LinkAddressMap.Bytes];
        LinkAddressMap.Write(bytes, mac);
        return [Convert.ToHexStringLower(bytes), string.Join(':', bytes.Select(value => value.ToString("x2"))), string.Join('-', bytes.Select(value => value.ToString("x2")))];
    }
}
