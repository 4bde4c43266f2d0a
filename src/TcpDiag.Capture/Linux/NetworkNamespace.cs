using System;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Threading;
using TcpDiag.Capture.Linux.Native;

namespace TcpDiag.Capture.Linux;

/// <summary>Opens sockets in other network namespaces: a socket stays in the namespace of the thread that opened it.</summary>
static class NetworkNamespace
{
    // Where ip(8) keeps them, and the files that stand for those of /etc in one of them.
    const string Folder = "/run/netns";
    const string FilesFolder = "/etc/netns";

    /// <summary>Runs something in a namespace, on a thread of its own that ends with it.</summary>
    /// <typeparam name="T">What it returns.</typeparam>
    /// <param name="name">The namespace; null to run in the caller's.</param>
    /// <param name="action">What to run.</param>
    /// <returns>What it returned.</returns>
    /// <exception cref="CaptureException">There is no such namespace, or we may not enter it.</exception>
    public static T Run<T>(string? name, Func<T> action) => name is null ? action() : RunAlone(() => Enter(name), action);

    /// <summary>Runs something that reads files, too, of a namespace: /sys and resolv.conf are the namespace's, as <c>ip netns exec</c> shows them.</summary>
    /// <typeparam name="T">What it returns.</typeparam>
    /// <param name="name">The namespace.</param>
    /// <param name="action">What to run.</param>
    /// <returns>What it returned.</returns>
    /// <exception cref="CaptureException">There is no such namespace, or we may not enter it.</exception>
    public static T RunWithFiles<T>(string name, Func<T> action)
    {
        return RunAlone(EnterWithFiles, action);

        void EnterWithFiles()
        {
            Enter(name);
            ShowFiles(name);
        }
    }

    static T RunAlone<T>(Action enter, Func<T> action)
    {
        T? result = default;
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                enter();
                result = action();
            }
#pragma warning disable CA1031 // whatever it is, the caller gets it
            catch (Exception exception)
#pragma warning restore CA1031
            {
                failure = ExceptionDispatchInfo.Capture(exception);
            }
        })
        {
            IsBackground = true,
        };
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

    // The thread gets a view of the file system of its own, which goes with it: nobody else sees what is mounted here.
    static void ShowFiles(string name)
    {
        string resolver = Path.Join(FilesFolder, name, "resolv.conf");
        bool isShown = Libc.Unshare(Libc.CloneNewFiles) == 0
            && Libc.Mount(null, "/", null, Libc.MountSlave | Libc.MountRecursive) == 0
            && Libc.Mount(name, "/sys", "sysfs", 0) == 0
            && (!File.Exists(resolver) || Libc.Mount(resolver, "/etc/resolv.conf", null, Libc.MountBind) == 0);
        if (!isShown)
        {
            int error = Libc.LastError();
            throw new CaptureException($"cannot show the files of network namespace '{name}': {Libc.Describe(error)}.", error);
        }
    }
}
