using System;
using System.IO;
using System.Linq;
using TcpDiag.Truth;

// truth [--QUESTION] ARGUMENTS [FILE.md]: sets what the analysis says beside what is known (Question.cs), prints both, and puts the tables into the section of
// FILE between the two markers.
Question question = Question.All.FirstOrDefault(one => one.Name.Length > 0 && string.Equals(one.Name, args[0], StringComparison.Ordinal)) ?? Question.All[0];
string[] rest = args[(question.Name.Length > 0 ? 1 : 0)..];
Answer answer = question.Ask(rest);
foreach (string line in answer.Lines)
{
    Console.WriteLine(line);
}

Console.WriteLine(answer.Tables);
if (rest.ElementAtOrDefault(question.Arguments) is { } file && file.EndsWith(".md", StringComparison.Ordinal))
{
    Insert(file, question.Section, answer.Tables);
}

static void Insert(string file, string section, string tables)
{
    string begin = $"<!-- {section}: begin -->\n";
    string end = $"<!-- {section}: end -->\n";
    string text = File.ReadAllText(file);
    int from = text.IndexOf(begin, StringComparison.Ordinal) + begin.Length;
    int to = text.IndexOf(end, StringComparison.Ordinal);
    File.WriteAllText(file, string.Concat(text.AsSpan(0, from), tables, text.AsSpan(to)));
}
