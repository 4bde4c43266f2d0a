using System.Runtime.InteropServices;

namespace TcpDiag.Capture.Linux.Native;

/// <summary>struct pollfd (poll(2)).</summary>
[StructLayout(LayoutKind.Sequential)]
struct PollDescriptor
{
    /// <summary>There is something to read.</summary>
    public const short PollIn = 1;

    /// <summary>The descriptor watched.</summary>
    public int Descriptor;

    /// <summary>What is waited for.</summary>
    public short Events;

    /// <summary>What came.</summary>
    public short Returned;
}
