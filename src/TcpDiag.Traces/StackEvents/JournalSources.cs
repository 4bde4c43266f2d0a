using System;
using System.Text;

namespace TcpDiag.Traces.StackEvents;

/// <summary>
/// Remembers the few source names of a file, so that reading an event makes no string. A fixed table that forgets on
/// collision: threads may overwrite each other's entries, which costs a string and nothing else.
/// </summary>
static class JournalSources
{
    // A file has some dozens of sources (provider, event, version).
    const int Slots = 1024;

    static readonly Entry?[] Table = new Entry?[Slots];

    /// <summary>The string of a name.</summary>
    public static string Intern(ReadOnlySpan<byte> name)
    {
        if (name.IsEmpty)
        {
            return string.Empty;
        }

        var hash = new HashCode();
        hash.AddBytes(name);
        ref Entry? slot = ref Table[hash.ToHashCode() & (Slots - 1)];
        Entry? known = slot;
        if (known is not null && known.Name.AsSpan().SequenceEqual(name))
        {
            return known.Text;
        }

        var entry = new Entry(name.ToArray(), Encoding.UTF8.GetString(name));
        slot = entry;
        return entry.Text;
    }

    sealed record Entry(byte[] Name, string Text);
}
