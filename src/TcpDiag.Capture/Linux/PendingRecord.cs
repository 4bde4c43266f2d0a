using TcpDiag.Traces;

namespace TcpDiag.Capture.Linux;

/// <summary>A record that waits to be written; its bytes lie in the <see cref="TimeOrder"/>.</summary>
/// <param name="Offset">First byte of its data.</param>
/// <param name="Length">Bytes of its data.</param>
/// <param name="InterfaceId">Interface of a packet; −1 for a stack event.</param>
/// <param name="OriginalLength">Bytes of the whole packet.</param>
/// <param name="Direction">Direction of a packet.</param>
readonly record struct PendingRecord(int Offset, int Length, int InterfaceId, int OriginalLength, PacketDirection Direction)
{
    /// <summary>Stands for "no interface".</summary>
    public const int NoInterface = -1;

    /// <summary>Whether this is a stack event.</summary>
    public bool IsEvent => InterfaceId == NoInterface;
}
