using System;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;
using TcpDiag.Lab.Matrix;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Lab.Topology;

/// <summary>
/// Two network namespaces, of names and addresses that nobody else on the machine has: the kernel's tracepoints know no namespaces, so only the
/// address says which end an event is from. A lease on each of them lets the next start remove what a killed one left (<see cref="NamespaceLease"/>).
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class LabLink : IDisposable
{
    const string LeaseFolder = "/run/tcpdiag";
    const int FirstNetwork = 1;
    const int LastNetwork = 254;

    readonly NamespaceLease _sender;
    readonly NamespaceLease _receiver;

    LabLink(int number, bool isIpv6, NamespaceLease sender, NamespaceLease receiver)
    {
        _sender = sender;
        _receiver = receiver;
        string prefix = isIpv6
            ? string.Create(CultureInfo.InvariantCulture, $"fdc9:0:0:{number:x}::")
            : string.Create(CultureInfo.InvariantCulture, $"10.201.{number}.");
        Network = isIpv6 ? prefix : prefix + "0";
        SenderAddress = prefix + "1";
        ReceiverAddress = prefix + "2";
    }

    /// <summary>The network between them: 24 bits of IPv4, or 64 of IPv6.</summary>
    public string Network { get; }

    /// <summary>The sender's address.</summary>
    public string SenderAddress { get; }

    /// <summary>The receiver's address.</summary>
    public string ReceiverAddress { get; }

    /// <summary>The sender's namespace.</summary>
    public string SenderNamespace => _sender.Name;

    /// <summary>The receiver's namespace.</summary>
    public string ReceiverNamespace => _receiver.Name;

    /// <summary>Removes what a killed run left behind.</summary>
    /// <returns>How many namespaces that were.</returns>
    public static int RemoveAbandoned() => NamespaceLease.RemoveAbandoned(LeaseFolder);

    /// <summary>Makes both namespaces and sets up their stacks.</summary>
    /// <param name="stack">One of <see cref="StackSettings.Names"/>.</param>
    /// <param name="isIpv6">Which addresses they have.</param>
    /// <returns>The namespaces; disposing of them removes them.</returns>
    /// <exception cref="PlatformException">The system refused.</exception>
    /// <exception cref="LabException">A setting of the stack did not take, or all networks are taken.</exception>
    public static LabLink Open(string stack, bool isIpv6)
    {
        LabLink link = Take(isIpv6);
        try
        {
            StackSettings.Apply(link.SenderNamespace, stack, isIpv6);
            StackSettings.Apply(link.ReceiverNamespace, stack, isIpv6);
            return link;
        }
        catch (LabException)
        {
            link.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _sender.Dispose();
        _receiver.Dispose();
    }

    static LabLink Take(bool isIpv6)
    {
        for (int number = FirstNetwork; number <= LastNetwork; number++)
        {
            if (TryTake(Name(number, "s")) is not { } sender)
            {
                continue;
            }

            try
            {
                if (TryTake(Name(number, "r")) is { } receiver)
                {
                    return new LabLink(number, isIpv6, sender, receiver);
                }
            }
            catch (PlatformException)
            {
                sender.Dispose();
                throw;
            }

            sender.Dispose();
        }

        throw new LabException("254 runs of the lab are under way on this machine: wait for one to end.");
    }

    static NamespaceLease? TryTake(string name)
    {
        try
        {
            return NamespaceLease.Take(LeaseFolder, name);
        }
        catch (IOException)
        {
            // Another run has this number.
            return null;
        }
        catch (PlatformException taken) when (taken.Code == NetworkNamespace.NameTaken)
        {
            // Somebody else's, or left by a run whose lease is lost and whose mount is not ours to remove.
            return null;
        }
    }

    static string Name(int number, string end) => string.Create(CultureInfo.InvariantCulture, $"tcpdiag-lab-{number}{end}");
}
