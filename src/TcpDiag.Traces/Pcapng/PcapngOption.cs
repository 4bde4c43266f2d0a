namespace TcpDiag.Traces.Pcapng;

/// <summary>Option codes of pcapng blocks, under the names the draft gives them. Codes from 2 on depend on the block.</summary>
public static class PcapngOption
{
    /// <summary>Ends a list of options.</summary>
    public const ushort EndOfOpt = 0;

    /// <summary>Comment, UTF-8; may be repeated.</summary>
    public const ushort Comment = 1;

    /// <summary>Custom option, UTF-8 text, may be copied.</summary>
    public const ushort CustomText = 2988;

    /// <summary>Custom option, bytes, may be copied.</summary>
    public const ushort CustomBytes = 2989;

    /// <summary>Custom option, UTF-8 text, must not be copied into other files.</summary>
    public const ushort CustomTextNoCopy = 19372;

    /// <summary>Custom option, bytes, must not be copied into other files.</summary>
    public const ushort CustomBytesNoCopy = 19373;

    /// <summary>Section: hardware, UTF-8.</summary>
    public const ushort ShbHardware = 2;

    /// <summary>Section: operating system, UTF-8.</summary>
    public const ushort ShbOs = 3;

    /// <summary>Section: program that wrote it, UTF-8.</summary>
    public const ushort ShbUserAppl = 4;

    /// <summary>Interface: name, UTF-8.</summary>
    public const ushort IfName = 2;

    /// <summary>Interface: description, UTF-8.</summary>
    public const ushort IfDescription = 3;

    /// <summary>Interface: IPv4 address and netmask, 8 bytes; may be repeated.</summary>
    public const ushort IfIpv4Addr = 4;

    /// <summary>Interface: IPv6 address and prefix length, 17 bytes; may be repeated.</summary>
    public const ushort IfIpv6Addr = 5;

    /// <summary>Interface: MAC address, 6 bytes.</summary>
    public const ushort IfMacAddr = 6;

    /// <summary>Interface: speed, 64 bits, bits per second.</summary>
    public const ushort IfSpeed = 8;

    /// <summary>Interface: resolution of time stamps, one byte: 10^-n seconds, or 2^-n with the highest bit set.</summary>
    public const ushort IfTsResol = 9;

    /// <summary>Interface: seconds to add to time stamps, signed 64 bits.</summary>
    public const ushort IfTsOffset = 14;

    /// <summary>Interface: speed of sending, 64 bits, bits per second.</summary>
    public const ushort IfTxSpeed = 16;

    /// <summary>Interface: speed of receiving, 64 bits, bits per second.</summary>
    public const ushort IfRxSpeed = 17;

    /// <summary>Packet: flags, 32 bits; the lowest two are the direction.</summary>
    public const ushort EpbFlags = 2;

    /// <summary>Packet: a hash, one byte of algorithm and the hash.</summary>
    public const ushort EpbHash = 3;

    /// <summary>Packet: packets lost before this one at this interface, 64 bits.</summary>
    public const ushort EpbDropCount = 4;

    /// <summary>Packet: number under which the packet appears at several interfaces, 64 bits.</summary>
    public const ushort EpbPacketId = 5;

    /// <summary>Packet: queue of the interface, 32 bits.</summary>
    public const ushort EpbQueue = 6;

    /// <summary>Packet: one byte of verdict type (0 hardware, 1 Linux TC, 2 Linux XDP), then the verdict: 64 bits for 1 and 2.</summary>
    public const ushort EpbVerdict = 7;

    /// <summary>Packet: process and thread, 32 bits each.</summary>
    public const ushort EpbProcessIdThreadId = 8;

    /// <summary>Statistics: start of the capture, a time stamp.</summary>
    public const ushort IsbStartTime = 2;

    /// <summary>Statistics: end of the capture, a time stamp.</summary>
    public const ushort IsbEndTime = 3;

    /// <summary>Statistics: packets received, 64 bits.</summary>
    public const ushort IsbIfRecv = 4;

    /// <summary>Statistics: packets dropped by the interface, 64 bits.</summary>
    public const ushort IsbIfDrop = 5;

    /// <summary>Statistics: packets dropped by the operating system, 64 bits.</summary>
    public const ushort IsbOsDrop = 7;
}
