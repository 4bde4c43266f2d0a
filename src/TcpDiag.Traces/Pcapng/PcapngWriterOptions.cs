namespace TcpDiag.Traces.Pcapng;

/// <summary>What the head of a pcapng file says.</summary>
public sealed record PcapngWriterOptions
{
    /// <summary>shb_hardware, or null.</summary>
    public string? Hardware { get; init; }

    /// <summary>shb_os, or null. <c>build N</c> in it tells the build of Windows.</summary>
    public string? OperatingSystem { get; init; }

    /// <summary>shb_userappl: the program that writes.</summary>
    public string? Application { get; init; } = "tcpdiag";

    /// <summary>Comment on the section, or null.</summary>
    public string? Comment { get; init; }

    /// <summary>
    /// Snap length written for every interface, bytes; 0 for no limit. One for all: libpcap from 1.10.5 on shows nothing of a
    /// file whose interfaces differ in it.
    /// </summary>
    public int SnapLength { get; init; } = 262_144;
}
