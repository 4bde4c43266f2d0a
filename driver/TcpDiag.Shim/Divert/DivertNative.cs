using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// The functions of WinDivert.dll 2.2 that this project calls. The library is the one <see cref="DivertLibrary"/> has checked and loaded; before that nothing here can
/// be called. Buffers that are filled by another thread of the driver are pinned by their owner, the others by the marshaller.
/// </summary>
[SupportedOSPlatform("windows")]
static unsafe partial class DivertNative
{
    /// <summary>The name by which the resolver knows the library.</summary>
    public const string Library = "WinDivert";

    [LibraryImport(Library, EntryPoint = "WinDivertOpen", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial DivertHandle Open(string filter, DivertLayer layer, short priority, DivertModes flags);

    [LibraryImport(Library, EntryPoint = "WinDivertRecvEx", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Receive(
        DivertHandle handle, byte* packets, uint length, out uint received, ulong flags, DivertAddress* addresses, ref uint addressBytes, nint overlapped);

    [LibraryImport(Library, EntryPoint = "WinDivertSendEx", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Send(
        DivertHandle handle, byte* packets, uint length, out uint sent, ulong flags, DivertAddress* addresses, uint addressBytes, nint overlapped);

    [LibraryImport(Library, EntryPoint = "WinDivertShutdown", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Shutdown(DivertHandle handle, DivertShutdown how);

    [LibraryImport(Library, EntryPoint = "WinDivertClose")]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool Close(nint handle);

    [LibraryImport(Library, EntryPoint = "WinDivertSetParam", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool SetParameter(DivertHandle handle, DivertParameter parameter, ulong value);

    [LibraryImport(Library, EntryPoint = "WinDivertGetParam", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetParameter(DivertHandle handle, DivertParameter parameter, out ulong value);

    [LibraryImport(Library, EntryPoint = "WinDivertHelperCompileFilter", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool CompileFilter(string filter, DivertLayer layer, byte* compiled, uint length, out nint error, out uint position);

    [LibraryImport(Library, EntryPoint = "WinDivertHelperEvalFilter", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool EvaluateFilter(string filter, ReadOnlySpan<byte> packet, uint length, in DivertAddress address);

    [LibraryImport(Library, EntryPoint = "WinDivertHelperFormatFilter", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool FormatFilter(string filter, DivertLayer layer, Span<byte> text, uint length);

    [LibraryImport(Library, EntryPoint = "WinDivertHelperParsePacket", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool ParsePacket(
        byte* packet, uint length, out byte* ip, out byte* ipv6, out byte protocol, out byte* icmp, out byte* icmpV6, out byte* tcp, out byte* udp, out byte* data,
        out uint dataLength, out byte* next, out uint nextLength);

    [LibraryImport(Library, EntryPoint = "WinDivertHelperCalcChecksums", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool CalculateChecksums(Span<byte> packet, uint length, ref DivertAddress address, ulong flags);

    [LibraryImport(Library, EntryPoint = "WinDivertHelperHashPacket", SetLastError = true)]
    public static partial ulong HashPacket(ReadOnlySpan<byte> packet, uint length, ulong seed);
}
