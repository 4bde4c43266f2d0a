using System;
using System.Runtime.Versioning;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Shim;

/// <summary>The two interfaces of a machine in the middle of a path.</summary>
[SupportedOSPlatform("linux")]
static class InterfacePair
{
    /// <summary>Finds their numbers, in the calling thread's namespace.</summary>
    /// <param name="option">The option that names them, for the messages.</param>
    /// <param name="near">Name of the near one.</param>
    /// <param name="far">Name of the far one.</param>
    /// <returns>The numbers.</returns>
    /// <exception cref="ShimException">There is no such interface, or they are one.</exception>
    public static (uint Near, uint Far) Find(string option, string near, string far) => string.Equals(near, far, StringComparison.Ordinal)
        ? throw new ShimException($"{option}: expected two interfaces, found {near} twice.")
        : (Find(option, near), Find(option, far));

    static uint Find(string option, string name)
    {
        try
        {
            return (uint)InterfaceControl.FindIndex(name);
        }
        catch (Exception unknown) when (unknown is ArgumentException or PlatformException)
        {
            throw new ShimException($"{option}: no interface '{name}' here. `ip link` lists them.");
        }
    }
}
