using System;
using TcpDiag.Testing;

namespace TcpDiag.Shim.Tests;

/// <summary>A second sender beside the client of a <see cref="MiddleNetwork"/>, both behind a switch.</summary>
sealed class TwoBuildsNetwork : IDisposable
{
    /// <summary>Address of the machine in the middle, at its interface to the senders.</summary>
    public const string MiddleAddress = "10.78.0.5";

    readonly MiddleNetwork _row = new(isRouted: false);

    /// <summary>Makes it.</summary>
    public TwoBuildsNetwork()
    {
        // The cable between client and middle is cut, and a switch put in.
        Ip("netns", "add", Switch);
        Ip("-n", _row.Client, "link", "del", "e0");
        Ip("-n", Switch, "link", "add", "br0", "type", "bridge");
        Ip("-n", Switch, "link", "set", "br0", "up");
        Ip("netns", "add", Other);
        Ip("-n", Other, "link", "set", "lo", "up");
        Plug(_row.Client, "e0", "p1");
        Plug(Other, "e0", "p2");
        Plug(_row.Middle, MiddleNetwork.Near, "p3");
        Ip("-n", _row.Client, "addr", "add", "10.78.0.11/24", "dev", "e0");
        Ip("-n", Other, "addr", "add", "10.78.0.12/24", "dev", "e0");
        Ip("-n", _row.Middle, "addr", "add", MiddleAddress + "/24", "dev", MiddleNetwork.Near);
    }

    /// <summary>The first sender's namespace; 10.78.0.11.</summary>
    public string One => _row.Client;

    /// <summary>The second sender's namespace; 10.78.0.12.</summary>
    public string Other => _row.Client + "2";

    /// <summary>The namespace in the middle.</summary>
    public string Middle => _row.Middle;

    /// <summary>The receiver's namespace.</summary>
    public string Server => _row.Server;

    /// <summary>The receiver's address.</summary>
    public string ServerAddress => _row.ServerAddress;

    string Switch => _row.Client + "w";

    /// <inheritdoc/>
    public void Dispose()
    {
        _row.Dispose();
        foreach (string name in new[] { Other, Switch })
        {
            ExternalProgram.TryRun("ip", ["netns", "del", name]);
        }
    }

    void Plug(string name, string device, string port)
    {
        Ip("link", "add", device, "netns", name, "type", "veth", "peer", "name", port, "netns", Switch);
        Ip("-n", Switch, "link", "set", port, "master", "br0", "up");
        Ip("-n", name, "link", "set", device, "up");
    }

    static void Ip(params string[] arguments) => ExternalProgram.Run("ip", arguments);
}
