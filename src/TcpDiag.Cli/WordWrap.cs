using System.Collections.Generic;

namespace TcpDiag.Cli;

/// <summary>Lines of words.</summary>
static class WordWrap
{
    /// <summary>Puts words into lines.</summary>
    /// <param name="words">The words; one that is longer than a line stays whole.</param>
    /// <param name="columns">Length of a line, at most.</param>
    /// <param name="first">What stands in front of the first line.</param>
    /// <param name="next">What stands in front of the others.</param>
    public static IEnumerable<string> Lines(IEnumerable<string> words, int columns, string first = "", string next = "")
    {
        string line = first;
        bool isFresh = true;
        foreach (string word in words)
        {
            if (!isFresh && line.Length + 1 + word.Length > columns)
            {
                yield return line;
                line = next;
                isFresh = true;
            }

            line += isFresh ? word : " " + word;
            isFresh = false;
        }

        yield return line;
    }
}
