using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Web.Tests;

/// <summary>Which libraries of ASP.NET Core come with a program that brings its runtime.</summary>
public sealed class KestrelLibraryTests
{
    [Fact]
    public void KeptLibraries_AreThoseThatAreReferredTo_DirectlyOrNot()
    {
        string folder = Path.GetDirectoryName(typeof(KestrelServer).Assembly.Location)!;
        Dictionary<string, string> all = Directory.GetFiles(folder, "*.dll")
            .ToDictionary(path => Path.GetFileNameWithoutExtension(path)!, StringComparer.Ordinal);
        var needed = new SortedSet<string>(StringComparer.Ordinal);
        var open = new Queue<string>(References(typeof(StoreServer).Assembly.Location));
        while (open.TryDequeue(out string? name))
        {
            if (all.TryGetValue(name, out string? path) && needed.Add(name))
            {
                Array.ForEach(References(path), open.Enqueue);
            }
        }

        string project = File.ReadAllText(ProjectFolder.PathOf("src", "TcpDiag.Cli", "TcpDiag.Cli.csproj"));
        string list = Regex.Match(project, "<OfKestrel Include=\"(?<list>[^\"]+)\"", RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(1)).Groups["list"]
            .Value;
        IEnumerable<string> kept = list.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
            .Select(file => Path.GetFileNameWithoutExtension(file)!);
        Assert.Equal(needed, kept.Order(StringComparer.Ordinal));
        Assert.Contains("Microsoft.AspNetCore.Server.Kestrel.Core", needed);
    }

    static string[] References(string path)
    {
        using FileStream file = File.OpenRead(path);
        using var image = new PEReader(file);
        MetadataReader reader = image.GetMetadataReader();
        return [.. reader.AssemblyReferences.Select(handle => reader.GetString(reader.GetAssemblyReference(handle).Name))];
    }
}
