using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text.Json;
using System.Xml.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>Packages of a release: what is in them, and that they install, run and go again (tools/package).</summary>
[Trait("Needs", "time")]
public sealed class PackageTests : IDisposable
{
    static readonly string Scripts = ProjectFolder.PathOf("tools", "package");

    static readonly string[] Parts = ["src", "driver"];

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-test-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [NativeRootFact]
    public void Deb_InstallsRunsAndLeavesNothing()
    {
        string package = MakeDeb("first");
        string root = Path.Join(_folder, "root");
        Directory.CreateDirectory(Path.Join(root, "var/lib/dpkg/updates"));
        Directory.CreateDirectory(Path.Join(root, "var/lib/dpkg/info"));
        File.WriteAllText(Path.Join(root, "var/lib/dpkg/status"), string.Empty);

        Dpkg(root, "--install", package);

        string program = Path.Join(root, "usr/bin/tcpdiag");
        Assert.StartsWith("tcpdiag 0", ExternalProgram.Run(program, "--version").Output, StringComparison.Ordinal);
        Assert.Contains("zero-window", ExternalProgram.Run(program, "demo", "--recorded").Output, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Join(root, "usr/share/man/man1/tcpdiag-shim-run.1.gz")));
        Assert.Contains("complete -o default -F _tcpdiag tcpdiag", File.ReadAllText(Path.Join(root, "usr/share/bash-completion/completions/tcpdiag")),
            StringComparison.Ordinal);
        Dpkg(root, "--purge", "tcpdiag");
        string[] left = Directory.GetFiles(root, "*", SearchOption.AllDirectories);
        Assert.All(left, path => Assert.StartsWith(Path.Join(root, "var/"), path, StringComparison.Ordinal));
    }

    [NativeRootFact]
    public void Deb_MadeTwice_IsTheSameToTheByte() => Assert.Equal(HashOf(MakeDeb("first")), HashOf(MakeDeb("second")));

    [ToolFact("dotnet", "python3")]
    public void Tool_InstallsFromAFolderAndRuns()
    {
        string cli = ProjectFolder.PathOf("src", "TcpDiag.Cli");
        ExternalProgram.Run("dotnet", "pack", cli, "-c", "Release", "--no-build", "-o", _folder, "-v", "quiet", "--nologo");
        string tools = Path.Join(_folder, "tools");

        // The cache of packages would keep a tool of the same version from before.
        ExternalProgram.Run("env", $"NUGET_PACKAGES={Path.Join(_folder, "cache")}", "dotnet", "tool", "install", "tcpdiag", "--tool-path", tools,
            "--add-source", _folder, "--ignore-failed-sources");

        Assert.Contains("zero-window", ExternalProgram.Run(Path.Join(tools, "tcpdiag"), "demo", "--recorded").Output, StringComparison.Ordinal);
    }

    // Of the project's own references and of what those need in turn, none may be left out of either list.
    [ToolFact("python3")]
    public void Components_ListWhatTheProgramRefersTo()
    {
        string notices = Components("notices");
        JsonElement sbom = JsonDocument.Parse(Components("sbom", "1.2.3")).RootElement;

        HashSet<string> listed = [.. sbom.GetProperty("components").EnumerateArray().Select(one => one.GetProperty("name").GetString()!)];
        Assert.Equal("CycloneDX", sbom.GetProperty("bomFormat").GetString());
        Assert.All(References(), name => Assert.Contains(name, listed));
        Assert.Contains("uplot", listed);
        Assert.All(listed, name => Assert.Contains($"\n{name} ", notices, StringComparison.Ordinal));
        Assert.All(sbom.GetProperty("components").EnumerateArray().Skip(1), one =>
            Assert.Equal(128, one.GetProperty("hashes")[0].GetProperty("content").GetString()!.Length));
    }

    // The libraries that any project of the program names; analyzers and the like are of the build alone.
    static IEnumerable<string> References() =>
        from part in Parts
        from project in Directory.EnumerateFiles(ProjectFolder.PathOf(part), "*.csproj", SearchOption.AllDirectories)
        from reference in XDocument.Load(project).Descendants("PackageReference")
        where reference.Attribute("PrivateAssets") is null
        select reference.Attribute("Include")!.Value;

    static string Components(params string[] arguments) =>
        ExternalProgram.Run("python3", [Path.Join(Scripts, "components.py"), ProjectFolder.PathOf("."), .. arguments]).Output;

    static string HashOf(string path) => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(path)));

    static void Dpkg(string root, params string[] arguments) =>
        ExternalProgram.Run("dpkg", [$"--root={root}", "--force-depends", "--force-not-root", "--force-script-chrootless", .. arguments]);

    string MakeDeb(string name)
    {
        string folder = Directory.CreateDirectory(Path.Join(_folder, name)).FullName;
        ExternalProgram.Run("bash", Path.Join(Scripts, "deb.sh"), Path.GetDirectoryName(NativeProgram.Path)!, "0.1.0", folder);
        return Path.Join(folder, "tcpdiag_0.1.0_amd64.deb");
    }
}
