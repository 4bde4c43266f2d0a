using System.IO;
using System.Linq;
using System.Text.Json;

namespace TcpDiag.Truth.Scores;

/// <summary>What <c>lab run</c> wrote.</summary>
static class LabFolder
{
    /// <summary>The runs that were finished and not void.</summary>
    /// <param name="directory">The experiment's directory.</param>
    /// <returns>The folder of each, and what run.json says of it.</returns>
    public static (string Folder, JsonElement Run)[] Runs(string directory)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(directory, "run.json")));
        return
        [
            .. document.RootElement.GetProperty("results").EnumerateArray()
                .Where(run => !run.GetProperty("isVoid").GetBoolean())
                .Select(run => (Path.Combine(directory, run.GetProperty("folder").GetString()!), run.Clone())),
        ];
    }

    /// <summary>A text of a run.</summary>
    public static string Text(this JsonElement run, string name) => run.GetProperty(name).GetString()!;
}
