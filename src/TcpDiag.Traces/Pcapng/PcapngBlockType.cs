namespace TcpDiag.Traces.Pcapng;

/// <summary>Block types of pcapng (draft-ietf-opsawg-pcapng, "Standardized Block Type Codes").</summary>
#pragma warning disable CA1028 // the file format stores 32 unsigned bits
public enum PcapngBlockType : uint
#pragma warning restore CA1028
{
    /// <summary>None: no block has this type.</summary>
    None = 0,

    /// <summary>Interface Description Block.</summary>
    InterfaceDescription = 1,

    /// <summary>Packet Block, obsolete.</summary>
    Packet = 2,

    /// <summary>Simple Packet Block: no time, no interface.</summary>
    SimplePacket = 3,

    /// <summary>Name Resolution Block.</summary>
    NameResolution = 4,

    /// <summary>Interface Statistics Block.</summary>
    InterfaceStatistics = 5,

    /// <summary>Enhanced Packet Block.</summary>
    EnhancedPacket = 6,

    /// <summary>systemd Journal Export Block.</summary>
    Journal = 9,

    /// <summary>Decryption Secrets Block.</summary>
    DecryptionSecrets = 10,

    /// <summary>Custom Block that may be copied into other files.</summary>
    Custom = 0x0000_0BAD,

    /// <summary>Custom Block that must not be copied into other files.</summary>
    CustomNoCopy = 0x4000_0BAD,

    /// <summary>Section Header Block; reads the same in both byte orders.</summary>
    SectionHeader = 0x0A0D_0D0A,
}
