using System;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>Where a ring-buffer page keeps its header, from <c>events/header_page</c>.</summary>
/// <param name="CommitOffset">Offset of the length and flags.</param>
/// <param name="CommitSize">Bytes of that word, and of the count of lost events: the kernel's long.</param>
/// <param name="DataOffset">First byte of the events.</param>
readonly record struct PageLayout(int CommitOffset, int CommitSize, int DataOffset)
{
    /// <summary>Reads the layout.</summary>
    /// <param name="text">Text of <c>events/header_page</c>.</param>
    /// <param name="layout">The layout, or the default.</param>
    /// <returns>False when a field is missing or has a size we cannot read.</returns>
    public static bool TryParse(string text, out PageLayout layout)
    {
        layout = default;
        EventField? commit = null;
        EventField? data = null;
        foreach (string line in text.Split('\n', StringSplitOptions.TrimEntries))
        {
            if (EventFormat.TryParseField(line, out EventField? field) && field is not null)
            {
                commit = field.Name is "commit" ? field : commit;
                data = field.Name is "data" ? field : data;
            }
        }

        if (commit is not { Size: 4 or 8 } || data is null)
        {
            return false;
        }

        layout = new(commit.Offset, commit.Size, data.Offset);
        return data.Offset >= commit.Offset + commit.Size;
    }
}
