using Spectre.Console;

namespace TcpDiag.Report.Comparisons;

/// <summary>Lines of 80 columns, without markup. Names and values come from files: they are made safe, then broken between words.</summary>
static class PlainLines
{
    const int Width = 80;

    /// <summary>Writes a line as it is.</summary>
    public static void Write(IAnsiConsole console, string text) => console.Write(new Text(text + "\n"));

    /// <summary>Writes a text, the lines after the first below the end of what they start with.</summary>
    public static void Wrap(IAnsiConsole console, string start, string text)
    {
        string line = start;
        bool isEmpty = true;
        foreach (string word in SafeText.OneLine(text).Split(' '))
        {
            if (!isEmpty && line.Length + 1 + word.Length > Width)
            {
                Write(console, line);
                line = new string(' ', start.Length);
                isEmpty = true;
            }

            line += isEmpty ? word : $" {word}";
            isEmpty = false;
        }

        Write(console, line);
    }
}
