using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// Walks over the options of a block in little-endian order, e.g. <see cref="TraceRecord.PcapngOptions"/>. Ends at
/// opt_endofopt, at the end of the bytes, or at an option that is longer than the bytes left.
/// <code>
/// var options = new PcapngOptionReader(record.PcapngOptions);
/// while (options.TryRead(out ushort code, out ReadOnlySpan&lt;byte&gt; value)) { … }
/// </code>
/// </summary>
public ref struct PcapngOptionReader
{
    const int HeaderBytes = 4;

    ReadOnlySpan<byte> _rest;

    /// <summary>Starts at the first option.</summary>
    /// <param name="options">The options of one block.</param>
    public PcapngOptionReader(ReadOnlySpan<byte> options) => _rest = options;

    /// <summary>Reads the next option.</summary>
    /// <param name="code">Its code (<see cref="PcapngOption"/>).</param>
    /// <param name="value">Its value without padding.</param>
    /// <returns>False behind the last one.</returns>
    public bool TryRead(out ushort code, out ReadOnlySpan<byte> value)
    {
        if (_rest.Length >= HeaderBytes)
        {
            code = BinaryPrimitives.ReadUInt16LittleEndian(_rest);
            int length = BinaryPrimitives.ReadUInt16LittleEndian(_rest[2..]);
            if (code != PcapngOption.EndOfOpt && length <= _rest.Length - HeaderBytes)
            {
                value = _rest.Slice(HeaderBytes, length);
                _rest = _rest[Math.Min(_rest.Length, (HeaderBytes + length + 3) & ~3)..];
                return true;
            }
        }

        code = PcapngOption.EndOfOpt;
        value = default;
        _rest = default;
        return false;
    }
}
