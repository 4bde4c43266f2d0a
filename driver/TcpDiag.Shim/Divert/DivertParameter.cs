namespace TcpDiag.Shim.Divert;

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
