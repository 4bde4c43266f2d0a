namespace TcpDiag.Traces.Schemas;

/// <summary>Reads numbers of seven bits a byte, low bits first, the top bit set on all but the last.</summary>
/// <param name="bytes">The bytes.</param>
/// <param name="position">Where to begin.</param>
struct VarintCursor(byte[] bytes, int position)
{
    /// <summary>Where the next number stands.</summary>
    public int Position { get; set; } = position;

    public int ReadInt32() => (int)ReadUInt64();

    public ulong ReadUInt64()
    {
        ulong value = 0;
        int shift = 0;
        byte next;
        do
        {
            next = bytes[Position++];
            value |= (ulong)(next & 0x7F) << shift;
            shift += 7;
        }
        while (next >= 0x80);

        return value;
    }
}
