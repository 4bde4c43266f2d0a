using System;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace TcpDiag.Platform.Linux;

/// <summary>
/// Named network namespaces as <c>ip netns</c> has them: a file below /run/netns on which the namespace is mounted. Sockets and devices stay in the
/// namespace of the thread that opened them. A thread that has entered one never goes back to the pool: it ends with what it was started for.
/// </summary>
public static class NetworkNamespace
{
    /// <summary>The code of the exception where there is a namespace of that name: EEXIST (errno.h).</summary>
    public const int NameTaken = 17;

    const string Folder = "/run/netns";

    // Where ip(8) keeps the files that stand for those of /etc in a namespace.
    const string FilesFolder = "/etc/netns";

    static readonly Lock FolderLock = new();

    /// <summary>Makes a namespace and brings its loopback device up.</summary>
    /// <param name="name">Its name, without a slash.</param>
    /// <exception cref="PlatformException">The system refused, or there is one of that name (<see cref="NameTaken"/>).</exception>
    public static void Create(string name)
    {
        Directory.CreateDirectory(Folder);
        ShareFolder();
        string path = PathOf(name);
        using (FileDescriptor file = Libc.Open(path, Libc.ReadWrite | Libc.Create | Libc.Exclusive | Libc.CloseOnExec))
        {
            if (file.IsInvalid)
            {
                throw PlatformException.FromLastError($"create {path}", "Run as root, and remove a namespace left over with: ip netns del " + name);
            }
        }

        try
        {
            OnThread(() =>
            {
                Check(Libc.Unshare(Libc.CloneNewNet), "unshare the network", "Run as root.");
                Check(Libc.Mount("/proc/thread-self/ns/net", path, "none", Libc.MountBind), $"mount {path}", "Run as root.");
                InterfaceControl.BringUp("lo");
                return true;
            });
        }
        catch (PlatformException)
        {
            Delete(name); // a file without a namespace would keep the name taken
            throw;
        }
    }

    /// <summary>Removes a namespace; its devices go with it. Nothing happens when there is none.</summary>
    /// <param name="name">Its name.</param>
    public static void Delete(string name)
    {
        string path = PathOf(name);
        if (File.Exists(path))
        {
            _ = Libc.Unmount(path, Libc.UnmountDetach);
            File.Delete(path);
        }
    }

    /// <summary>Runs something in a namespace, on a thread of its own.</summary>
    /// <param name="name">The namespace; null or empty for the caller's own, and its thread.</param>
    /// <param name="action">What to run.</param>
    /// <exception cref="PlatformException">There is no such namespace, or the system refused.</exception>
    public static void Run(string? name, Action action)
    {
        ArgumentNullException.ThrowIfNull(action);
        Run(name, () =>
        {
            action();
            return true;
        });
    }

    /// <summary>Runs something in a namespace, on a thread of its own.</summary>
    /// <typeparam name="T">What it returns.</typeparam>
    /// <param name="name">The namespace; null or empty for the caller's own, and its thread.</param>
    /// <param name="action">What to run.</param>
    /// <returns>What it returned.</returns>
    /// <exception cref="PlatformException">There is no such namespace, or the system refused.</exception>
    public static T Run<T>(string? name, Func<T> action)
    {
        ArgumentNullException.ThrowIfNull(action);
        return string.IsNullOrEmpty(name) ? action() : OnThread(() =>
        {
            Enter(name);
            return action();
        });
    }

    /// <summary>Runs something that also reads files of a namespace: /sys and resolv.conf are the namespace's, as <c>ip netns exec</c> shows them.</summary>
    /// <typeparam name="T">What it returns.</typeparam>
    /// <param name="name">The namespace.</param>
    /// <param name="action">What to run.</param>
    /// <returns>What it returned.</returns>
    /// <exception cref="PlatformException">There is no such namespace, or the system refused.</exception>
    public static T RunWithFiles<T>(string name, Func<T> action) => OnThread(() =>
    {
        Enter(name);
        ShowFiles(name);
        return action();
    });

    // As ip(8) does before its first namespace. Who comes later and finds the folder not shared mounts it on itself, with all that is mounted below, and a
    // namespace made before could not be removed any more: its file stays busy.
    static void ShareFolder()
    {
        lock (FolderLock)
        {
            if (!TryShareFolder())
            {
                Check(Libc.Mount(Folder, Folder, "none", Libc.MountBind | Libc.MountRecursive), $"mount {Folder}", "Run as root.");
                Check(TryShareFolder() ? 0 : -1, $"share {Folder}", "Run as root.");
            }
        }
    }

    static bool TryShareFolder() => Libc.Mount(null, Folder, null, Libc.MountShared | Libc.MountRecursive) == 0;

    static void Enter(string name)
    {
        using FileDescriptor file = Libc.Open(PathOf(name), Libc.ReadOnly | Libc.CloseOnExec);
        Check(file.IsInvalid ? -1 : 0, $"open namespace {name}", "Make it first: ip netns add " + name);
        Check(Libc.EnterNamespace(file, Libc.CloneNewNet), $"enter namespace {name}", "Run as root.");
    }

    // The thread gets a view of the file system of its own, which goes with it: nobody else sees what is mounted here.
    static void ShowFiles(string name)
    {
        string resolver = Path.Join(FilesFolder, name, "resolv.conf");
        bool isShown = Libc.Unshare(Libc.CloneNewFiles) == 0
            && Libc.Mount(null, "/", null, Libc.MountSlave | Libc.MountRecursive) == 0
            && Libc.Mount(name, "/sys", "sysfs", 0) == 0
            && (!File.Exists(resolver) || Libc.Mount(resolver, "/etc/resolv.conf", null, Libc.MountBind) == 0);
        Check(isShown ? 0 : -1, $"show the files of namespace {name}", "Run as root.");
    }

    static string PathOf(string name) =>
        name.Length > 0 && !name.Contains('/', StringComparison.Ordinal) && name is not ("." or "..")
            ? Path.Combine(Folder, name)
            : throw new ArgumentException("A namespace's name is not empty and has no slash.", nameof(name));

    static void Check(int result, string action, string cure)
    {
        if (result != 0)
        {
            throw PlatformException.FromLastError(action, cure);
        }
    }

    static T OnThread<T>(Func<T> action)
    {
        T? result = default;
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
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
}
