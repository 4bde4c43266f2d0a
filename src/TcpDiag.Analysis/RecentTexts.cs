using System;

namespace TcpDiag.Analysis;

/// <summary>Texts that were made lately. Of a hundred thousand findings most say the same: such a text is given again, and no other is made of it.</summary>
static class RecentTexts
{
    const int Kept = 256; // a power of two

    static readonly string?[] Lately = new string?[Kept];

    /// <summary>A text as a string.</summary>
    /// <param name="text">The text.</param>
    /// <returns>The string.</returns>
    public static string Of(ReadOnlySpan<char> text)
    {
        ref string? lately = ref Lately[SlotOf(text)];
        string whole = lately is not null && text.SequenceEqual(lately) ? lately : text.ToString();
        lately = whole;
        return whole;
    }

    // Length, beginning, middle and end tell most texts apart, and what they miss is only made anew.
    static int SlotOf(ReadOnlySpan<char> text)
    {
        int sum = text.Length;
        for (int part = 0; part < 4 && text.Length > 4; part++)
        {
            sum = (sum * 31) + text[(text.Length - 1) * part / 3];
        }

        return sum & (Kept - 1);
    }
}
