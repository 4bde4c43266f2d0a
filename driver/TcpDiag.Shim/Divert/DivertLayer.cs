namespace TcpDiag.Shim.Divert;

/// <summary>WINDIVERT_LAYER: what a handle sees.</summary>
enum DivertLayer
{
    /// <summary>Packets from and to this host.</summary>
    Network = 0,

    /// <summary>Flows that begin and end, with their process.</summary>
    Flow = 2,
}
