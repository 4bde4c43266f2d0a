using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Microsoft.Playwright;

namespace TcpDiag.Browser.Tests;

/// <summary>axe-core: what keeps people from using a page, by the rules of WCAG 2.1 AA that a program can check.</summary>
static class Axe
{
    static readonly Lazy<string> Source = new(() =>
    {
        using Stream stream = typeof(Axe).Assembly.GetManifestResourceStream("axe.min.js")!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    });

    /// <summary>Checks a page.</summary>
    /// <returns>What breaks a rule, a line each.</returns>
    public static async Task<string[]> Check(IPage page)
    {
        await page.EvaluateAsync(Source.Value); // by the debugger's way in, which no policy of the page forbids
        const string run = "axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then((found) => "
            + "JSON.stringify(found.violations))";
        JsonElement violations = JsonDocument.Parse(await page.EvaluateAsync<string>(run)).RootElement;
        return
        [
            .. from violation in violations.EnumerateArray()
               from node in violation.GetProperty("nodes").EnumerateArray().Take(3)
               select $"{violation.GetProperty("id")}: {node.GetProperty("html")} {node.GetProperty("failureSummary")}",
        ];
    }
}
