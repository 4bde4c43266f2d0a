using System;

namespace TcpDiag.Traces.Etl;

/// <summary>How often one kind of record occurs in an .etl file.</summary>
/// <param name="HeaderType">Family of the header.</param>
/// <param name="Provider">Provider, class, or the class that stands for the kernel group; empty when unknown.</param>
/// <param name="Group">Kernel group; 0 for other families.</param>
/// <param name="Id">Event id or message number; the opcode of classic and kernel records.</param>
/// <param name="Version">Version of the payload, its low byte where the header holds 16 bits.</param>
/// <param name="Count">Records of this kind.</param>
public readonly record struct EtlEventCount(
    EtlHeaderType HeaderType, Guid Provider, byte Group, ushort Id, byte Version, long Count);
