using System.Runtime.InteropServices;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>struct sock_filter: one instruction of the kernel's classic packet filter (Documentation/networking/filter.rst).</summary>
/// <param name="Code">Class, size, mode and source.</param>
/// <param name="JumpTrue">Instructions to skip when the test holds.</param>
/// <param name="JumpFalse">Instructions to skip when it does not.</param>
/// <param name="Operand">The constant k.</param>
[StructLayout(LayoutKind.Sequential)]
readonly record struct BpfInstruction(ushort Code, byte JumpTrue, byte JumpFalse, uint Operand);
