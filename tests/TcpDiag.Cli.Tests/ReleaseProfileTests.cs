using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>The profile and the order that releases are compiled with are about the code that is released.</summary>
public sealed class ReleaseProfileTests
{
    static readonly string Order = ProjectFolder.PathOf("src", "TcpDiag.Cli", "Properties", "PublishProfiles", "release.order");

    const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    [Fact]
    public void Methods_OfTheProfile_ExistButForATenth()
    {
        string[] missing = [.. Methods().Where(name => !Exists(name.Class, name.Method)).Select(name => $"{name.Class}: {name.Method}")];

        // What is renamed or gone is compiled as if there were no profile: a few do not matter.
        Assert.True(missing.Length < Methods().Count / 10,
            $"make the profile anew (docs/benchmarks/README.md); {missing.Length} methods of it are gone:\n{string.Join('\n', missing)}");
    }

    [Theory]
    [InlineData("TcpDiag.Wire.PacketParser, TcpDiag.Wire")]
    [InlineData("TcpDiag.Analysis.Intake.TraceAnalyzer, TcpDiag.Analysis")]
    public void HotClasses_AreInTheProfile(string name) => Assert.Contains(Methods(), method => string.Equals(method.Class, name, StringComparison.Ordinal));

    [Fact]
    public void Methods_OfTheOrder_ExistButForATenth()
    {
        // As the compiler names them: the assembly, the class with its namespace and the method, each without what is no letter or digit.
        string[] ours = [.. File.ReadLines(Order).Where(name => name.StartsWith("TcpDiag_Analysis_", StringComparison.Ordinal) && !name.Contains('<'))];
        HashSet<string> known =
        [
            .. from type in typeof(Analysis.TraceAnalysis).Assembly.GetTypes()
               where type.FullName is not null
               from member in type.GetMembers(Declared)
               select Mangled($"TcpDiag.Analysis_{type.FullName}__{member.Name}"),
        ];
        string[] missing = [.. ours.Where(name => !known.Contains(name) && !known.Contains(name[..name.LastIndexOf('_')]))]; // overloads are numbered
        Assert.True(ours.Length > 300, $"{ours.Length} methods of the analysis");
        Assert.True(missing.Length < ours.Length / 10,
            $"make the order anew (docs/benchmarks/README.md); {missing.Length} methods of it are gone:\n{string.Join('\n', missing)}");
    }

    [Fact]
    public void Order_HoldsEachMethodOnce() => Assert.Equal(File.ReadLines(Order).Distinct(StringComparer.Ordinal).Count(), File.ReadLines(Order).Count());

    static string Mangled(string name) => string.Concat(name.Select(letter => char.IsAsciiLetterOrDigit(letter) ? letter : '_'));

    static bool Exists(string type, string method) =>
        Type.GetType(type) is { } found && found.GetMembers(Declared).Any(member => string.Equals(member.Name, method, StringComparison.Ordinal));

    // But those of generic classes.
    static List<(string Class, string Method)> Methods()
    {
        using var zip = ZipFile.OpenRead(ProjectFolder.PathOf("src", "TcpDiag.Cli", "Properties", "PublishProfiles", "release.mibc"));
        using Stream entry = Assert.Single(zip.Entries).Open();
        var image = new MemoryStream();
        entry.CopyTo(image);
        image.Position = 0;
        using var assembly = new PEReader(image);
        MetadataReader metadata = assembly.GetMetadataReader();
        return
        [
            .. from handle in metadata.MemberReferences
               let member = metadata.GetMemberReference(handle)
               where member.Parent.Kind is HandleKind.TypeReference
               select (QualifiedName(metadata, (TypeReferenceHandle)member.Parent), metadata.GetString(member.Name)),
        ];
    }

    static string QualifiedName(MetadataReader metadata, TypeReferenceHandle handle)
    {
        string inner = string.Empty;
        TypeReference type = metadata.GetTypeReference(handle);
        for (; type.ResolutionScope.Kind is HandleKind.TypeReference; type = metadata.GetTypeReference((TypeReferenceHandle)type.ResolutionScope))
        {
            inner = $"+{metadata.GetString(type.Name)}{inner}";
        }

        string assembly = metadata.GetString(metadata.GetAssemblyReference((AssemblyReferenceHandle)type.ResolutionScope).Name);
        return $"{metadata.GetString(type.Namespace)}.{metadata.GetString(type.Name)}{inner}, {assembly}";
    }
}
