using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.StandIns;

/// <summary>A machine as a folder: one file per running session, one per answer of a stand-in, and the calls they got.</summary>
/// <param name="Folder">The folder.</param>
public sealed record MachineState(string Folder)
{
    const string SessionPrefix = "session-";

    /// <summary>The answer of a stand-in; <c>success</c> unless scripted.</summary>
    /// <param name="what">E.g. <c>netsh-start</c>.</param>
    /// <returns>One word.</returns>
    public string Answer(string what) => Read("answer-" + what) ?? "success";

    /// <summary>Scripts an answer, or sets a fact of the machine.</summary>
    /// <param name="what">E.g. <c>netsh-start</c>, <c>language</c>, <c>free</c>.</param>
    /// <param name="answer">One word.</param>
    public void Script(string what, string answer) => File.WriteAllText(PathOf("answer-" + what), answer);

    /// <summary>A setting that somebody set; null where nobody did.</summary>
    /// <param name="subject">E.g. a template of TCP.</param>
    /// <param name="name">Its name.</param>
    public string? Setting(string subject, string name) => Read(SettingFile(subject, name));

    /// <summary>Sets a setting, whole or not at all.</summary>
    /// <param name="subject">E.g. a template of TCP.</param>
    /// <param name="name">Its name.</param>
    /// <param name="value">The value; null for none.</param>
    public void SetSetting(string subject, string name, string? value)
    {
        string path = PathOf(SettingFile(subject, name));
        if (value is null)
        {
            File.Delete(path);
            return;
        }

        File.WriteAllText(path + "-draft", value);
        File.Move(path + "-draft", path, overwrite: true);
    }

    static string SettingFile(string subject, string name) => $"setting-{subject.Replace('\\', '-')}-{name}";

    /// <summary>Build number of Windows.</summary>
    public int Build => int.Parse(Read("answer-build") ?? "26100", CultureInfo.InvariantCulture);

    /// <summary>A capture of what there is to record; null where one packet has to do.</summary>
    public string? Packets => Read("answer-packets");

    /// <summary>Begins a session.</summary>
    /// <param name="session">The session.</param>
    public void Begin(EtwSession session)
    {
        // Whole or not at all: another program may look at the sessions while this one is being written.
        string draft = PathOf("begin-" + session.Name);
        File.WriteAllText(draft,
            string.Create(CultureInfo.InvariantCulture, $"{session.LogFile}\n{session.EventsLost}\n{session.BytesWritten}\n{session.BuffersLost}"));
        File.Move(draft, PathOf(SessionPrefix + session.Name), overwrite: true);
    }

    /// <summary>Ends a session.</summary>
    /// <param name="name">Its name.</param>
    public void End(string name) => File.Delete(PathOf(SessionPrefix + name));

    /// <summary>The sessions that run.</summary>
    public IReadOnlyList<EtwSession> Sessions() =>
        [.. Directory.EnumerateFiles(Folder, SessionPrefix + "*").Order().Select(ReadSession).OfType<EtwSession>()];

    /// <summary>The filters of pktmon, a line each.</summary>
    public IReadOnlyList<string> Filters => Read("filters")?.TrimEnd('\n').Split('\n') ?? [];

    /// <summary>Adds a filter of pktmon.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="tests">What it tests.</param>
    public void AddFilter(string name, string tests) => File.AppendAllText(PathOf("filters"), $"{Filters.Count + 1} {name} {tests}\n");

    /// <summary>Removes all filters of pktmon.</summary>
    public void RemoveFilters() => File.Delete(PathOf("filters"));

    /// <summary>Files that were given the rights of their folders.</summary>
    public IReadOnlyList<string> Inheriting => Read("inheriting")?.TrimEnd('\n').Split('\n') ?? [];

    /// <summary>Notes a file that is given the rights of its folder.</summary>
    /// <param name="path">The file.</param>
    public void AddInheriting(string path) => File.AppendAllText(PathOf("inheriting"), path + "\n");

    /// <summary>Notes a call.</summary>
    /// <param name="call">The line.</param>
    public void Note(string call) => SpinWait.SpinUntil(() => TryNote(call));

    /// <summary>The calls so far.</summary>
    public IReadOnlyList<string> Calls => Read("calls")?.TrimEnd('\n').Split('\n') ?? [];

    // Several programs may run at once.
    bool TryNote(string call)
    {
        try
        {
            // A file that is appended to is measured before it is locked: without this two lines may get the same place.
            using FileStream turn = new(PathOf("calls-turn"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            File.AppendAllText(PathOf("calls"), call + "\n");
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    // Null for one that another program has ended since it was listed.
    static EtwSession? ReadSession(string path)
    {
        try
        {
            string[] lines = File.ReadAllLines(path);
            return new(Path.GetFileName(path)[SessionPrefix.Length..], lines[0], Number(lines[1]), Number(lines[3]), Number(lines[2]));
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);

    string? Read(string name) => File.Exists(PathOf(name)) ? File.ReadAllText(PathOf(name)) : null;

    string PathOf(string name) => Path.Combine(Folder, name);
}
