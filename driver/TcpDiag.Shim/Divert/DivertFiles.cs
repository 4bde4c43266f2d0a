using System;
using System.IO;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using TcpDiag.Platform;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// The two files of WinDivert, checked and then held: as long as the object lives nobody can write, rename or delete them, so what was checked is
/// what Windows loads.
/// </summary>
sealed class DivertFiles : IDisposable
{
    /// <summary>The library's name; that of the driver is fixed in it.</summary>
    public const string LibraryName = "WinDivert.dll";

    public const string DriverName = "WinDivert64.sys";

    readonly FileStream _library;
    readonly FileStream? _driver;

    /// <summary>Opens and checks the files.</summary>
    /// <param name="folder">Where they are.</param>
    /// <param name="pins">What they must be.</param>
    /// <param name="findWeakness">Names, as a sentence, who else could change what is in a folder; null when nobody can.</param>
    /// <exception cref="ShimException">A file is missing, not the one that is meant, or could be changed by somebody without administrator rights.</exception>
    public DivertFiles(string folder, DivertPins pins, Func<string, string?> findWeakness)
    {
        Folder = Path.GetFullPath(folder);
        _library = OpenChecked(LibraryName, pins.Library);
        try
        {
            _driver = OpenChecked(DriverName, pins.Driver);

            // With files open in it no folder on the way can be renamed any more: what is found now stays so.
            if (Weakness(findWeakness) is { } weakness)
            {
                throw new ShimException(
                    $"{Folder}: {weakness} A driver is loaded only from where ordinary users cannot write, e.g. a folder below Program Files.");
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>The folder, in full.</summary>
    public string Folder { get; }

    public string LibraryPath => Path.Join(Folder, LibraryName);

    /// <summary>SHA-256 of a file from its beginning, in lower-case hexadecimal.</summary>
    public static string Hash(Stream file) => Convert.ToHexStringLower(SHA256.HashData(file));

    /// <inheritdoc/>
    public void Dispose()
    {
        _library.Dispose();
        _driver?.Dispose();
    }

    string? Weakness(Func<string, string?> find)
    {
        try
        {
            return find(Folder);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return $"who may change it is unknown ({exception.Message}).";
        }
    }

    FileStream OpenChecked(string name, string pin)
    {
        string path = Path.Join(Folder, name);
        FileStream file;
        try
        {
            // Without FileShare.Write and Delete: what is hashed now cannot be exchanged before it is loaded.
            file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new ShimException(
                $"find {path}",
                DivertErrors.FileNotFound,
                "WinDivert has not been fetched",
                "It is not part of tcpdiag: run windivert\\fetch.ps1, beside tcpdiag.exe, or name its folder with --driver.");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new ShimException(
                $"{path} cannot be opened: {exception.Message} Another program is writing it, or a security program holds it: "
                + "wait or make an exception there, then try again.");
        }

        string found = Hash(file);
        if (string.Equals(found, pin, StringComparison.Ordinal))
        {
            return file;
        }

        file.Dispose();
        throw new ShimException(
            $"{path}: expected a file with SHA-256 {pin}, found {found}. Fetch it again (windivert\\fetch.ps1, beside tcpdiag.exe); it is not loaded.");
    }
}

/// <summary>SHA-256 of the files of WinDivert that may be loaded, in lower-case hexadecimal (driver/windivert/SHA256SUMS).</summary>
sealed record DivertPins(string Library, string Driver)
{
    /// <summary>WinDivert 2.2 for x64, as its author has built and signed it.</summary>
    public static DivertPins Release { get; } = new(
        "c1e060ee19444a259b2162f8af0f3fe8c4428a1c6f694dce20de194ac8d7d9a2",
        "8da085332782708d8767bcace5327a6ec7283c17cfb85e40b03cd2323a90ddc2");
}

/// <summary>
/// Who may change what is in a folder. A driver is loaded into the kernel: whoever can exchange its file, or give himself the right to, has the machine.
/// </summary>
[SupportedOSPlatform("windows")]
static class FolderRights
{
    /// <summary>Looks for somebody without administrator rights who could change the folder or a file in it.</summary>
    /// <returns>Who, as a sentence; null when nobody can.</returns>
    public static string? FindWeakness(string folder)
    {
        for (DirectoryInfo? part = new(folder); part is not null; part = part.Parent)
        {
            if (part.Attributes.HasFlag(FileAttributes.ReparsePoint))
            {
                return $"{part.FullName} is a link, which may lead somewhere else by the time the driver is loaded.";
            }
        }

        if (IsElsewhere(folder))
        {
            return "it is on another machine, which decides by itself what is in a file each time it is read.";
        }

        if (FileRights.WhyNotPrivate(folder, self: null) is { } why)
        {
            return $"{why}.";
        }

        foreach (string file in Directory.EnumerateFiles(folder))
        {
            if (FileRights.WhyNotPrivate(file, self: null) is { } whyFile)
            {
                return $"{Path.GetFileName(file)}: {whyFile}.";
            }
        }

        return null;
    }

    static bool IsElsewhere(string folder) =>
        folder.StartsWith(@"\\", StringComparison.Ordinal) || new DriveInfo(Path.GetPathRoot(folder)!).DriveType == DriveType.Network;
}
