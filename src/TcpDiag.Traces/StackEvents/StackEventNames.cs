using System;
using System.Text;

namespace TcpDiag.Traces.StackEvents;

/// <summary>
/// The names of the vocabulary outside this program: kinds in kebab case (<c>segment-sent</c>), fields in the upper snake
/// case of journal fields (<c>SND_WND</c>) and in the camel case of JSON (<c>sndWnd</c>). All follow from the enumerations.
/// </summary>
public static class StackEventNames
{
    static readonly string[] Kinds = Array.ConvertAll(Enum.GetNames<StackEventKind>(), name => Separate(name, '-').ToLowerInvariant());
    static readonly string[] Fields = Array.ConvertAll(Enum.GetNames<StackField>(), name => Separate(name, '_').ToUpperInvariant());
    static readonly string[] JsonFields = Array.ConvertAll(Enum.GetNames<StackField>(), name => char.ToLowerInvariant(name[0]) + name[1..]);

    /// <summary>Number of kinds, <see cref="StackEventKind.None"/> included.</summary>
    public static int KindCount => Kinds.Length;

    /// <summary>Number of fields.</summary>
    public static int FieldCount => Fields.Length;

    /// <summary>The name of a kind.</summary>
    /// <param name="kind">A kind of the vocabulary.</param>
    /// <returns>E.g. <c>segment-sent</c>.</returns>
    public static string Of(StackEventKind kind) => Kinds[(int)kind];

    /// <summary>The name of a field as a journal field, without prefix.</summary>
    /// <param name="field">A field of the vocabulary.</param>
    /// <returns>E.g. <c>SND_WND</c>.</returns>
    public static string Of(StackField field) => Fields[(int)field];

    /// <summary>The name of a field in JSON.</summary>
    /// <param name="field">A field of the vocabulary.</param>
    /// <returns>E.g. <c>sndWnd</c>.</returns>
    public static string JsonOf(StackField field) => JsonFields[(int)field];

    // A separator before each capital that follows a small letter or digit, and before the last capital of a run.
    static string Separate(string name, char separator)
    {
        var text = new StringBuilder(name.Length + 8);
        for (int i = 0; i < name.Length; i++)
        {
            bool startsWord = char.IsUpper(name[i]) && i > 0
                && (!char.IsUpper(name[i - 1]) || (i + 1 < name.Length && char.IsLower(name[i + 1])));
            if (startsWord)
            {
                text.Append(separator);
            }

            text.Append(name[i]);
        }

        return text.ToString();
    }
}
