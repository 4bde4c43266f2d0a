using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using TcpDiag.Analysis.Findings;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Platform;

namespace TcpDiag.Doctor.Changes;

/// <summary>A change that has been made, or was about to be.</summary>
/// <param name="Id">Its number in the journal.</param>
/// <param name="Change">The change; its <see cref="SettingChange.Before"/> was read right before.</param>
/// <param name="Boot">The start of the system in which it was made, after which it is gone; null for one that outlives restarts.</param>
/// <param name="IsKept">Whether it is meant to stay; else whatever made it was interrupted, or is at work.</param>
public sealed record JournaledChange(int Id, SettingChange Change, string? Boot, bool IsKept);

/// <summary>
/// The journal of changes to settings: a line is on the disk before a change is made, and another when it is meant to stay or was taken back. Who holds the
/// journal has locked it, and the system frees it when that process ends, however it ends. Only administrators may write it: what it says is undone with
/// their rights.
/// </summary>
public sealed class ChangeJournal : IDisposable
{
    const string FileName = "changes.jsonl";

    readonly FileStream _file;
    readonly List<JournaledChange> _open = [];
    int _lastId;

    ChangeJournal(FileStream file)
    {
        _file = file;
        Read();
    }

    /// <summary>Changes that were not taken back, oldest first.</summary>
    public IReadOnlyList<JournaledChange> Open => _open;

    /// <summary>Opens the journal, and makes it where there is none.</summary>
    /// <param name="folder">Holds it.</param>
    /// <param name="whyNotPrivate">Checks who can change a file or folder.</param>
    /// <exception cref="PlatformException">Another process is changing settings.</exception>
    /// <exception cref="Capture.CaptureException">Someone other than an administrator can change it.</exception>
    public static ChangeJournal Create(string folder, Func<string, string?> whyNotPrivate)
    {
        PrivateFolder.Create(folder, whyNotPrivate);
        return TryLock(folder, FileMode.OpenOrCreate, whyNotPrivate)
            ?? throw new PlatformException("another tcpdiag is changing settings of this computer: wait for it");
    }

    /// <summary>Opens the journal that is there.</summary>
    /// <param name="folder">Holds it.</param>
    /// <param name="whyNotPrivate">Checks who can change a file or folder.</param>
    /// <returns>Null where there is none, or another process works with it.</returns>
    /// <exception cref="Capture.CaptureException">Someone other than an administrator can change it.</exception>
    public static ChangeJournal? TryOpen(string folder, Func<string, string?> whyNotPrivate) =>
        File.Exists(Path.Combine(folder, FileName)) ? TryLock(folder, FileMode.Open, whyNotPrivate) : null;

    /// <summary>Notes that a change is about to be made.</summary>
    /// <returns>The change.</returns>
    /// <exception cref="IOException">It could not be written: the change must not be made.</exception>
    public JournaledChange Begin(SettingChange change, string? boot)
    {
        ArgumentNullException.ThrowIfNull(change);
        var begun = new JournaledChange(_lastId + 1, change, boot, IsKept: false);
        (SettingKind kind, string subject, string name) = (change.Setting.Kind, change.Setting.Subject, change.Setting.Name);
        Write(new ChangeLine(begun.Id, ChangeStep.Begun, kind, subject, name, change.Before, change.After, boot));
        return begun;
    }

    /// <summary>Notes that changes are meant to stay, all of them at once: a process that is killed leaves all or none.</summary>
    public void Keep(IEnumerable<JournaledChange> changes) => Write([.. changes.Select(change => new ChangeLine(change.Id, ChangeStep.Kept))]);

    /// <summary>Notes that a change was taken back.</summary>
    public void Undone(JournaledChange change)
    {
        ArgumentNullException.ThrowIfNull(change);
        Write(new ChangeLine(change.Id, ChangeStep.Undone));
    }

    /// <summary>Frees the journal; one in which nothing is left is emptied.</summary>
    public void Dispose()
    {
        if (_open.Count == 0)
        {
            _file.SetLength(0);
        }

        _file.Dispose();
    }

    static ChangeJournal? TryLock(string folder, FileMode mode, Func<string, string?> whyNotPrivate)
    {
        string path = Path.Combine(folder, FileName);
        PrivateFolder.Require(Path.GetDirectoryName(folder)!, whyNotPrivate);
        PrivateFolder.Require(folder, whyNotPrivate);
        PrivateFolder.Require(path, whyNotPrivate);
        var options = new FileStreamOptions { Mode = mode, Access = FileAccess.ReadWrite, Share = FileShare.None, BufferSize = 0 };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = mode is FileMode.Open ? null : UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        try
        {
            return new(new FileStream(path, options));
        }
        catch (IOException exception) when (exception is not (FileNotFoundException or DirectoryNotFoundException or PathTooLongException))
        {
            return null;
        }
    }

    void Write(params ChangeLine[] lines)
    {
        long end = _file.Length;
        try
        {
            _file.Write([.. lines.SelectMany(line => (byte[])[.. JsonSerializer.SerializeToUtf8Bytes(line, ChangeJson.Default.ChangeLine), (byte)'\n'])]);
            _file.Flush(flushToDisk: true);
        }
        catch (IOException)
        {
            // What follows half a line would never be read.
            _file.SetLength(end);
            _file.Seek(end, SeekOrigin.Begin);
            throw;
        }

        Array.ForEach(lines, TakeIn);
    }

    // Half a line at the end is of a change that was not begun; it is removed, for what follows it would never be read.
    void Read()
    {
        byte[] bytes = new byte[_file.Length];
        _file.ReadExactly(bytes);
        int whole = 0;
        for (int end; (end = Array.IndexOf(bytes, (byte)'\n', whole)) >= 0; whole = end + 1)
        {
            TakeIn(Parse(bytes.AsSpan(whole, end - whole)));
        }

        _file.SetLength(whole);
        _file.Seek(whole, SeekOrigin.Begin);
    }

    ChangeLine Parse(ReadOnlySpan<byte> line)
    {
        try
        {
            return JsonSerializer.Deserialize(line, ChangeJson.Default.ChangeLine) ?? throw new JsonException();
        }
        catch (JsonException)
        {
            string path = _file.Name;
            _file.Dispose();
            throw new PlatformException($"{path} is damaged: it holds what was changed, and the commands that undo it. Look into it, then remove it.");
        }
    }

    void TakeIn(ChangeLine line)
    {
        _lastId = Math.Max(_lastId, line.Id);
        int at = _open.FindIndex(change => change.Id == line.Id);
        switch (line.Step)
        {
            case ChangeStep.Begun when line.Kind is { } kind && at < 0:
                _open.Add(new(line.Id, SettingChange.Of(kind, line.Subject ?? string.Empty, line.Name ?? string.Empty, line.Before, line.After), line.Boot,
                    IsKept: false));
                break;
            case ChangeStep.Kept when at >= 0:
                _open[at] = _open[at] with { IsKept = true };
                break;
            case ChangeStep.Undone when at >= 0:
                _open.RemoveAt(at);
                break;
        }
    }
}

enum ChangeStep
{
    Begun,
    Kept,
    Undone,
}

sealed record ChangeLine(
    int Id, ChangeStep Step, SettingKind? Kind = null, string? Subject = null, string? Name = null, string? Before = null, string? After = null,
        string? Boot = null);

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ChangeLine))]
sealed partial class ChangeJson : JsonSerializerContext;
