using System;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Runtime.Versioning;
using System.Threading;

namespace TcpDiag.Shim.Linux;

/// <summary>
/// Named network namespaces as <c>ip netns</c> has them: a file below /run/netns on which the namespace is mounted. A thread that has entered one never goes back to
/// the pool: it ends with what it was started for.
/// </summary>
[SupportedOSPlatform("linux")]
public static class NetworkNamespace
{
    const string Folder = "/run/netns";

    // <sched.h> CLONE_NEWNET, <sys/mount.h> MS_BIND and MNT_DETACH.
    const int CloneNewNet = 0x4000_0000;
    const nuint Bind = 0x1000;
    const int Detach = 2;

    // O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
    const int ReadWriteCreateNew = Libc.ReadWrite | 0x40 | 0x80 | Libc.CloseOnExec;

    /// <summary>Makes a namespace and brings its loopback device up.</summary>
    /// <param name="name">Its name, without a slash.</param>
    /// <exception cref="ShimException">The system refused, or there is one of that name.</exception>
    public static void Create(string name)
    {
        Directory.CreateDirectory(Folder);
        string path = PathOf(name);
        using (LinuxHandle file = Libc.Open(path, ReadWriteCreateNew, 0))
        {
            if (file.IsInvalid)
            {
                throw Libc.LastError($"create {path}", "Run as root, and remove a namespace left over with: ip netns del " + name);
            }
        }

        OnThread(() =>
        {
            Check(Libc.Unshare(CloneNewNet), "unshare the network", "Run as root.");
            Check(Libc.Mount("/proc/thread-self/ns/net", path, "none", Bind, 0), $"mount {path}", "Run as root.");
            InterfaceControl.BringUp("lo");
        });
    }

    /// <summary>Removes a namespace; its devices go with it. Nothing happens when there is none.</summary>
    /// <param name="name">Its name.</param>
    public static void Delete(string name)
    {
        string path = PathOf(name);
        _ = Libc.Unmount(path, Detach);
        File.Delete(path);
    }

    /// <summary>Runs something in a namespace, on a thread of its own.</summary>
    /// <param name="name">The namespace; empty stays in this process's own.</param>
    /// <param name="action">What to run.</param>
    /// <exception cref="ShimException">There is no such namespace, or the system refused.</exception>
    public static void Run(string name, Action action) => OnThread(() =>
    {
        if (name.Length > 0)
        {
            using LinuxHandle file = Libc.Open(PathOf(name), Libc.ReadOnly | Libc.CloseOnExec);
            Check(file.IsInvalid ? -1 : 0, $"open namespace {name}", "Make it first: ip netns add " + name);
            Check(Libc.SetNamespace(file, CloneNewNet), $"enter namespace {name}", "Run as root.");
        }

        action();
    });

    static string PathOf(string name) =>
        name.Length > 0 && !name.Contains('/', StringComparison.Ordinal) && name is not ("." or "..")
            ? Path.Combine(Folder, name)
            : throw new ArgumentException("A namespace's name is not empty and has no slash.", nameof(name));

    static void Check(int result, string action, string cure)
    {
        if (result != 0)
        {
            throw Libc.LastError(action, cure);
        }
    }

    static void OnThread(Action action)
    {
        ExceptionDispatchInfo? failure = null;
        Thread thread = new(() =>
        {
            try
            {
                action();
            }
            catch (ShimException refused)
            {
                failure = ExceptionDispatchInfo.Capture(refused);
            }
        });
        thread.Start();
        thread.Join();
        failure?.Throw();
    }
}
