using System;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// The functions of WinDivert.dll 2.2 that this project calls. The library is the one <see cref="DivertLibrary"/> has checked and loaded; before that
/// nothing here can be called. Buffers that are filled by another thread of the driver are pinned by their owner, the others by the marshaller.
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
        byte* packet, uint length, out byte* ip, out byte* ipv6, out byte protocol, out byte* icmp, out byte* icmpV6, out byte* tcp, out byte* udp,
        out byte* data,
        out uint dataLength, out byte* next, out uint nextLength);

    [LibraryImport(Library, EntryPoint = "WinDivertHelperCalcChecksums", SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool CalculateChecksums(Span<byte> packet, uint length, ref DivertAddress address, ulong flags);

    [LibraryImport(Library, EntryPoint = "WinDivertHelperHashPacket", SetLastError = true)]
    public static partial ulong HashPacket(ReadOnlySpan<byte> packet, uint length, ulong seed);
}

/// <summary>An open WinDivert handle. When it is closed the driver sends what it still holds on its way.</summary>
[SupportedOSPlatform("windows")]
sealed class DivertHandle : SafeHandleZeroOrMinusOneIsInvalid
{
    /// <summary>Made by the marshaller.</summary>
    public DivertHandle()
        : base(ownsHandle: true)
    {
    }

    protected override bool ReleaseHandle() => DivertNative.Close(handle);
}

/// <summary>WinDivert.dll, loaded once in a process, from the folder whose files were checked and from nowhere else.</summary>
[SupportedOSPlatform("windows")]
static class DivertLibrary
{
    static readonly Lock Loading = new();
    static nint _module;

    /// <summary>Loads the library, if that has not been done.</summary>
    /// <exception cref="ShimException">Windows does not load it.</exception>
    public static void Load(DivertFiles files)
    {
        lock (Loading)
        {
            if (_module != 0)
            {
                return;
            }

            try
            {
                _module = NativeLibrary.Load(files.LibraryPath);
            }
            catch (Exception exception) when (exception is DllNotFoundException or BadImageFormatException)
            {
                throw new ShimException($"load {files.LibraryPath}: {exception.Message} A security program may have refused it; tcpdiag must be the x64 one.");
            }

            NativeLibrary.SetDllImportResolver(typeof(DivertLibrary).Assembly, Resolve);
        }
    }

    // 0 leaves the other libraries to the runtime.
    static nint Resolve(string name, Assembly assembly, DllImportSearchPath? path) =>
        string.Equals(name, DivertNative.Library, StringComparison.Ordinal) ? _module : 0;
}

/// <summary>WINDIVERT_FLAG_*: how a handle is opened.</summary>
[Flags]
enum DivertModes : ulong
{
    /// <summary>What matches is taken, and can be sent again.</summary>
    None = 0,

    /// <summary>What matches is copied and goes its way.</summary>
    Sniff = 1,

    /// <summary>Nothing can be sent.</summary>
    ReceiveOnly = 4,
}

/// <summary>WINDIVERT_LAYER: what a handle sees.</summary>
enum DivertLayer
{
    /// <summary>Packets from and to this host.</summary>
    Network = 0,

    /// <summary>Flows that begin and end, with their process.</summary>
    Flow = 2,
}

/// <summary>WINDIVERT_PARAM: settings of a handle, and facts of the driver.</summary>
enum DivertParameter
{
    /// <summary>Packets that the driver's queue holds, 32 … 16384.</summary>
    QueueLength = 0,

    /// <summary>Milliseconds after which a packet is dropped from the queue, 100 … 16000.</summary>
    QueueTime = 1,

    /// <summary>Bytes that the queue holds, 65535 … 33554432.</summary>
    QueueSize = 2,

    /// <summary>The driver's version in front of the point; read only.</summary>
    VersionMajor = 3,

    /// <summary>The driver's version behind the point; read only.</summary>
    VersionMinor = 4,
}

/// <summary>WINDIVERT_SHUTDOWN: which half of a handle is closed.</summary>
enum DivertShutdown
{
    /// <summary>No more packets are queued; what is queued can be received, then receiving fails with ERROR_NO_DATA.</summary>
    Receive = 1,

    /// <summary>Both ways.</summary>
    Both = 3,
}
