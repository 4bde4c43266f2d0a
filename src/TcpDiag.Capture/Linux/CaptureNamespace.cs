using System;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Capture.Linux;

/// <summary>Network namespaces for a recording: a refusal says what helps whoever records.</summary>
static class CaptureNamespace
{
    /// <summary>Runs something in a namespace; null runs it in the caller's.</summary>
    /// <exception cref="CaptureException">There is no such namespace, or we may not enter it.</exception>
    public static T Run<T>(string? name, Func<T> action)
    {
        RequireName(name);
        try
        {
            return NetworkNamespace.Run(name, action);
        }
        catch (PlatformException refused)
        {
            throw Refused(name!, refused.Code);
        }
    }

    /// <summary>Runs something in a namespace that also reads its /sys and resolv.conf.</summary>
    /// <exception cref="CaptureException">There is no such namespace, or we may not enter it.</exception>
    public static T RunWithFiles<T>(string name, Func<T> action)
    {
        RequireName(name);
        try
        {
            return NetworkNamespace.RunWithFiles(name, action);
        }
        catch (PlatformException refused)
        {
            throw Refused(name, refused.Code);
        }
    }

    /// <summary>Opens a socket to the kernel's socket diagnosis in the network namespace of the calling thread.</summary>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public static NetlinkSocket OpenDiagnosis() => OpenNetlink(NetlinkSocket.SocketDiagnosis);

    /// <summary>Opens a netlink socket in the network namespace of the calling thread.</summary>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public static NetlinkSocket OpenNetlink(int family)
    {
        if (NetlinkSocket.TryOpen(family) is { } socket)
        {
            return socket;
        }

        int error = Libc.LastError();
        const string Cure = "Sampling sockets needs CONFIG_INET_TCP_DIAG; --no-events records packets only.";
        throw new CaptureException($"cannot open a netlink socket: {Libc.Describe(error)}. {Cure}", error);
    }

    // These name folders, not namespaces.
    static void RequireName(string? name)
    {
        if (name is "" or "." or "..")
        {
            throw Refused(name, Errno.InvalidArgument);
        }
    }

    static CaptureException Refused(string name, int error) =>
        new($"cannot enter network namespace '{name}': {Libc.Describe(error)}. `ip netns list` lists them; entering needs root.", error);
}
