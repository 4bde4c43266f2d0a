using TcpDiag.Traces.Schemas;
using TcpDiag.Wire;

namespace TcpDiag.Report.Dump;

/// <summary>Collects the ends of a kernel TcpIp, UdpIp or Kernel-Network event from its fields daddr (the peer), saddr, dport and sport.</summary>
struct KernelEnds
{
    IpAddress? _local;
    IpAddress? _remote;
    ushort _localPort;
    ushort _remotePort;

    /// <summary>Takes in a field of any name.</summary>
    public void Add(in PayloadField field)
    {
        bool isAddress = field.Data.Length is 4 or 16;
        switch (field.Schema?.Name)
        {
            case "saddr" when isAddress:
                _local = IpAddress.Read(field.Data);
                break;
            case "daddr" when isAddress:
                _remote = IpAddress.Read(field.Data);
                break;
            case "sport" when field.TryReadInteger(out long port):
                _localPort = (ushort)port;
                break;
            case "dport" when field.TryReadInteger(out long port):
                _remotePort = (ushort)port;
                break;
            default:
                break;
        }
    }

    /// <summary>Gives the ends when both addresses were there.</summary>
    public readonly bool TryGet(out Endpoint local, out Endpoint remote)
    {
        local = new Endpoint(_local ?? default, _localPort);
        remote = new Endpoint(_remote ?? default, _remotePort);
        return _local is not null && _remote is not null;
    }
}
