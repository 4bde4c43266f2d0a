using System;
using System.Buffers.Binary;
using TcpDiag.Traces.Pcapng;

namespace TcpDiag.Traces.Conversion;

/// <summary>What a block that is passed on as it is belongs to.</summary>
static class PcapngBlock
{
    /// <summary>Whether a block holds statistics of an interface, so that it has to follow that interface.</summary>
    /// <param name="block">A whole block.</param>
    /// <returns>True for an Interface Statistics Block.</returns>
    public static bool IsInterfaceStatistics(ReadOnlySpan<byte> block) =>
        BinaryPrimitives.TryReadUInt32LittleEndian(block, out uint type) && type == (uint)PcapngBlockType.InterfaceStatistics;
}
