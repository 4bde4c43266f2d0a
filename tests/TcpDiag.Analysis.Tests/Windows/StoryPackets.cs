namespace TcpDiag.Analysis.Tests.Windows;

/// <summary>Who records packets beside the events of a <see cref="WindowsStory"/>.</summary>
public enum StoryPackets
{
    /// <summary>Nobody.</summary>
    None,

    /// <summary>NDIS-PacketCapture, as netsh does.</summary>
    Ndis,

    /// <summary>PktMon.</summary>
    PktMon,
}
