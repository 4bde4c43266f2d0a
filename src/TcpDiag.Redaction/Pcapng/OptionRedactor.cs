using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Traces;
using TcpDiag.Traces.EtlPackets;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Redaction.Pcapng;

/// <summary>Redacts the options of pcapng blocks: numbers stay, addresses and texts get pseudonyms, everything else is removed.</summary>
sealed class OptionRedactor(Pseudonyms names)
{
    const ushort IfFilter = 11;
    const ushort IfOs = 12;
    const ushort IfFcsLength = 13;
    const ushort IfHardware = 15;
    const ushort NameServerName = 2;
    const ushort NameServerIpv4 = 3;
    const ushort NameServerIpv6 = 4;
    const int LinuxVerdictBytes = 9;

    /// <summary>Redacts the options of a block.</summary>
    /// <param name="type">The type of their block.</param>
    /// <param name="options">The options, in little-endian order.</param>
    /// <param name="target">Receives the kept options and the end of options; nothing if none is kept.</param>
    public void Redact(PcapngBlockType type, ReadOnlySpan<byte> options, IBufferWriter<byte> target)
    {
        var reader = new PcapngOptionReader(options);
        bool isEmpty = true;
        while (reader.TryRead(out ushort code, out ReadOnlySpan<byte> value))
        {
            if (TryRedact(type, code, value, out byte[] redacted))
            {
                Write(code, redacted, target);
                isEmpty = false;
            }
            else
            {
                names.Counts.Add(RedactionKind.Options);
            }
        }

        if (!isEmpty)
        {
            Write(PcapngOption.EndOfOpt, [], target);
        }
    }

    static void Write(ushort code, ReadOnlySpan<byte> value, IBufferWriter<byte> target)
    {
        int length = PcapngBlockBuffer.OptionHeaderBytes + PcapngBlockBuffer.Padded(value.Length);
        Span<byte> option = target.GetSpan(length)[..length];
        option.Clear();
        BinaryPrimitives.WriteUInt16LittleEndian(option, code);
        BinaryPrimitives.WriteUInt16LittleEndian(option[2..], (ushort)value.Length);
        value.CopyTo(option[PcapngBlockBuffer.OptionHeaderBytes..]);
        target.Advance(length);
    }

    bool TryRedact(PcapngBlockType type, ushort code, ReadOnlySpan<byte> value, out byte[] redacted)
    {
        redacted = value.ToArray();
        switch (type, code)
        {
            case (_, PcapngOption.Comment) when DropComment.TryRead(value, out PacketDrop drop):
                redacted = [.. DropComment.Prefix, .. Encoding.UTF8.GetBytes(PktMonNames.Describe(drop, build: null))];
                return true;
            case (PcapngBlockType.SectionHeader, PcapngOption.ShbOs) when IsKernelRelease(value):
                names.Originals.AddPublic(Encoding.UTF8.GetString(value));
                return true;
            case (_, PcapngOption.Comment):
            case (PcapngBlockType.SectionHeader, PcapngOption.ShbHardware or PcapngOption.ShbOs or PcapngOption.ShbUserAppl):
            case (PcapngBlockType.InterfaceDescription, PcapngOption.IfName or PcapngOption.IfDescription or IfOs or IfHardware):
            case (PcapngBlockType.NameResolution, NameServerName):
                redacted = ReplaceText(value);
                return true;
            case (PcapngBlockType.InterfaceDescription, IfFilter) when value.Length > 0 && value[0] == 0:
                redacted = [0, .. ReplaceText(value[1..])];
                return true;
            case (PcapngBlockType.InterfaceDescription, PcapngOption.IfMacAddr) when value.Length == LinkAddressMap.Bytes:
                names.ReplaceMac(redacted);
                return true;
            default:
                return TryReplaceAddress(type, code, redacted) || IsNumber(type, code, value);
        }
    }

    // As this program writes it; other programs may name the machine.
    static bool IsKernelRelease(ReadOnlySpan<byte> value) =>
        Encoding.UTF8.GetString(value).Split(' ') is ["Linux", [>= '0' and <= '9', ..], "x64" or "x86" or "arm64" or "arm"];

    bool TryReplaceAddress(PcapngBlockType type, ushort code, Span<byte> value)
    {
        int length = (type, code, value.Length) switch
        {
            (PcapngBlockType.InterfaceDescription, PcapngOption.IfIpv4Addr, 8) => 4,
            (PcapngBlockType.InterfaceDescription, PcapngOption.IfIpv6Addr, 17) => 16,
            (PcapngBlockType.NameResolution, NameServerIpv4, 4) => 4,
            (PcapngBlockType.NameResolution, NameServerIpv6, 16) => 16,
            _ => 0,
        };
        if (length > 0)
        {
            names.ReplaceAddress(value[..length]);
        }

        return length > 0;
    }

    static bool IsNumber(PcapngBlockType type, ushort code, ReadOnlySpan<byte> value) => (type, code, value.Length) switch
    {
        (PcapngBlockType.InterfaceDescription, PcapngOption.IfSpeed or PcapngOption.IfTxSpeed or PcapngOption.IfRxSpeed, sizeof(ulong)) => true,
        (PcapngBlockType.InterfaceDescription, PcapngOption.IfTsOffset, sizeof(ulong)) => true,
        (PcapngBlockType.InterfaceDescription, PcapngOption.IfTsResol or IfFcsLength, 1) => true,
        (PcapngBlockType.EnhancedPacket or PcapngBlockType.Packet, PcapngOption.EpbFlags, sizeof(uint)) => true,
        (PcapngBlockType.EnhancedPacket, PcapngOption.EpbDropCount or PcapngOption.EpbPacketId, sizeof(ulong)) => true,
        (PcapngBlockType.EnhancedPacket, PcapngOption.EpbQueue, sizeof(uint)) => true,
        (PcapngBlockType.EnhancedPacket, PcapngOption.EpbVerdict, LinuxVerdictBytes) => value[0] is 1 or 2,
        (PcapngBlockType.EnhancedPacket, PcapngOption.EpbProcessIdThreadId, 2 * sizeof(uint)) => true,
        (PcapngBlockType.InterfaceStatistics, >= PcapngOption.IsbStartTime and <= 8, sizeof(ulong)) => true,
        _ => false,
    };

    byte[] ReplaceText(ReadOnlySpan<byte> text)
    {
        byte[] replaced = Encoding.UTF8.GetBytes(names.ReplaceText(Encoding.UTF8.GetString(text), TextRule.Settings));
        return replaced[..Math.Min(replaced.Length, ushort.MaxValue)];
    }
}

/// <summary>Redacts stack events in the journal blocks of a pcapng file. Entries of other programs may hold anything and are left out.</summary>
sealed class JournalRedactor(Pseudonyms names)
{
    // Sources recorded as public; a file has a few dozen.
    const int MaxSources = 1024;

    readonly StackEvent _event = new();
    readonly HashSet<string> _sources = [];

    public bool TryRedact(ReadOnlySpan<byte> entry, IBufferWriter<byte> target)
    {
        if (!JournalDecoder.TryDecode(entry, _event))
        {
            return false;
        }

        Publish(_event.Source);
        _event.Local = Map(_event.Local);
        _event.Remote = Map(_event.Remote);
        _event.Text = _event.Text is { } text ? names.ReplaceText(text) : null;
        JournalEncoder.Encode(_event, target);
        return true;
    }

    Endpoint? Map(Endpoint? endpoint) => endpoint is { } end ? new Endpoint(names.Map(end.Address), names.MapPort(end.Port)) : null;

    // The vocabulary of stack events is public, from the first one on.
    void Publish(string source)
    {
        if (_sources.Count == 0)
        {
            names.Originals.AddPublic("MESSAGE SYSLOG IDENTIFIER REALTIME TIMESTAMP EVENT TIME NS SOURCE TCB PID LOCAL REMOTE TEXT");
            Array.ForEach(Enum.GetValues<StackEventKind>(), kind => names.Originals.AddPublic(Encoding.UTF8.GetString(JournalNames.Of(kind))));
            Array.ForEach(Enum.GetValues<StackField>(), field => names.Originals.AddPublic(Encoding.UTF8.GetString(JournalNames.Of(field))));
        }

        if (_sources.Count < MaxSources && _sources.Add(source))
        {
            names.Originals.AddPublic(source);
        }
    }
}
