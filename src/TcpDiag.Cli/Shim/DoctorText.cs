using System.Globalization;
using System.IO;
using TcpDiag.Report;
using TcpDiag.Shim.Divert;
using TcpDiag.Shim.Doctor;

namespace TcpDiag.Cli.Shim;

/// <summary>What the doctor found, in words.</summary>
static class DoctorText
{
    // A terminal's width, less the column of the marks.
    const int TextColumns = 70;

    /// <summary>Writes every check.</summary>
    /// <param name="output">Where to write.</param>
    /// <param name="document">What was found.</param>
    public static void Write(TextWriter output, DoctorDocument document)
    {
        foreach (DoctorCheck check in document.Checks)
        {
            Write(output, Mark(check.Holds), check.Found);
            if (check.Cure is not null)
            {
                Write(output, string.Empty, check.Cure);
            }
        }

        output.WriteLine(document.CanDivert switch
        {
            true => "Packets can be diverted here.",
            false => "Packets cannot be diverted here as it is.",
            _ => "Nothing that was looked at forbids it; not all of it could be told.",
        });
    }

    /// <summary>Writes what an error means.</summary>
    /// <param name="output">Where to write.</param>
    /// <param name="error">The error.</param>
    /// <returns>The exit code.</returns>
    public static int Explain(TextWriter output, DivertErrorText error)
    {
        Write(output, error.Code.ToString(CultureInfo.InvariantCulture), error.Meaning);
        Write(output, string.Empty, error.Cure);
        return ExitCode.Done;
    }

    static string Mark(bool? holds) => holds switch
    {
        true => "ok",
        false => "wrong",
        _ => "note",
    };

    // The text, broken between words, beside its mark.
    static void Write(TextWriter output, string mark, string text)
    {
        int column = 0;
        foreach (string word in SafeText.OneLine(text).Split(' '))
        {
            bool isFirst = column == 0;
            if (isFirst || column + 1 + word.Length > TextColumns)
            {
                output.Write(isFirst ? $"{mark,-7} " : "\n        ");
                column = 0;
            }
            else
            {
                output.Write(' ');
                column++;
            }

            output.Write(word);
            column += word.Length;
        }

        output.WriteLine();
    }
}
