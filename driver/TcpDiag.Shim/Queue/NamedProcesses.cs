using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Queue;

/// <summary>The processes that a match names, and the sockets they hold (proc(5)). Only their descriptors are looked at, never those of the whole machine.</summary>
sealed class NamedProcesses
{
    // TASK_COMM_LEN − 1: the kernel keeps no more of a name.
    const int KernelNameLength = 15;

    readonly List<MatchProcess> _named = [];

    /// <summary>Collects what a match names.</summary>
    public NamedProcesses(MatchRule match) => Collect(match);

    /// <summary>The process that holds a socket.</summary>
    /// <param name="inode">The socket.</param>
    /// <returns>Process id and name as the match has it; 0 and null when none of the named processes holds it.</returns>
    public (int Id, string? Name) FindHolder(uint inode)
    {
        string link = string.Create(CultureInfo.InvariantCulture, $"socket:[{inode}]");
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder.AsSpan()), NumberStyles.None, CultureInfo.InvariantCulture, out int id)
                && FindName(id, folder) is { } name && Holds(folder, link))
            {
                return (id, name);
            }
        }

        return (0, null);
    }

    void Collect(MatchRule rule)
    {
        switch (rule)
        {
            case MatchProcess process:
                _named.Add(process);
                break;
            case MatchNot not:
                Collect(not.Rule);
                break;
            case MatchAnd and:
                Collect(and.Left);
                Collect(and.Right);
                break;
            case MatchOr or:
                Collect(or.Left);
                Collect(or.Right);
                break;
            default:
                break;
        }
    }

    // The name by which the match means a process; null when it does not.
    string? FindName(int id, string folder)
    {
        string? kernelName = null;
        foreach (MatchProcess process in _named)
        {
            if (process.Id == id)
            {
                return string.Empty;
            }

            kernelName ??= process.Id == 0 ? TryRead(Path.Join(folder, "comm")).TrimEnd('\n') : null;
            string name = process.Name.Length > KernelNameLength ? process.Name[..KernelNameLength] : process.Name;
            if (process.Id == 0 && string.Equals(kernelName, name, StringComparison.OrdinalIgnoreCase))
            {
                return process.Name;
            }
        }

        return null;
    }

    static bool Holds(string folder, string link)
    {
        try
        {
            foreach (FileSystemInfo descriptor in new DirectoryInfo(Path.Join(folder, "fd")).EnumerateFileSystemInfos())
            {
                if (string.Equals(descriptor.LinkTarget, link, StringComparison.Ordinal))
                {
                    return true;
                }
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The process has ended meanwhile.
            return false;
        }

        return false;
    }

    static string TryRead(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return string.Empty;
        }
    }
}
