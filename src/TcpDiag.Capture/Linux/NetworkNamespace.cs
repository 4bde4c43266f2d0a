using System;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Threading;
using TcpDiag.Capture.Linux.Native;

namespace TcpDiag.Capture.Linux;

/// <summary>Opens sockets in other network namespaces: a socket stays in the namespace of the thread that opened it.</summary>
static class NetworkNamespace
{
    // Where ip(8) keeps them.
    const string Folder = "/run/netns";

    /// <summary>Runs something in a namespace, on a thread of its own that ends with it.</summary>
    /// <typeparam name="T">What it returns.</typeparam>
    /// <param name="name">The namespace; null to run in the caller's.</param>
    /// <param name="action">What to run.</param>
    /// <returns>What it returned.</returns>
    /// <exception cref="CaptureException">There is no such namespace, or we may not enter it.</exception>
    public static T Run<T>(string? name, Func<T> action)
    {
        if (name is null)
        {
            return action();
        }

        T? result = default;
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                Enter(name);
                result = action();
            }
            catch (Exception exception) when (exception is CaptureException or IOException)
            {
                failure = ExceptionDispatchInfo.Capture(exception);
            }
        });
        thread.Start();
        thread.Join();
        failure?.Throw();
        return result!;
    }

    static void Enter(string name)
    {
        using FileDescriptor file = Libc.Open(Path.Join(Folder, name), Libc.OpenReadOnly | Libc.OpenCloseOnExec);
        if (file.IsInvalid || Libc.EnterNamespace(file, Libc.CloneNewNet) != 0)
        {
            int error = Libc.LastError();
            throw new CaptureException($"cannot enter network namespace '{name}': {Libc.Describe(error)}. `ip netns list` lists them; entering needs root.", error);
        }
    }
}
