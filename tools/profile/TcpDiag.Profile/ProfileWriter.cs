using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace TcpDiag.Profile;

/// <summary>
/// Writes a profile as the compilers read it (MIbcProfileParser of dotnet/runtime): a zip with an assembly whose code is never run. Its method
/// AssemblyDictionary names for each group of methods the assemblies it needs, and the method that holds it; there stand for each method
/// its token, "InstrumentationDataStart", its counters as constants, "InstrumentationDataEnd" and pop. A counter is 15 (all four fields
/// follow), place, kind, number of values, other place, values.
/// </summary>
sealed class ProfileWriter
{
    const int AllFields = 15;

    // The same counters give the same file.
    static readonly DateTimeOffset Time = new(2000, 1, 1, 0, 0, 0, TimeSpan.Zero);
    static readonly BlobContentId Identity = new(new Guid("6f0a54c1-70a6-4ed3-9a3a-3c0f8f3f4d11"), 1);

    readonly MetadataBuilder _metadata = new();
    readonly MethodBodyStreamEncoder _bodies = new(new BlobBuilder());
    readonly SortedDictionary<string, InstructionEncoder> _groups = new(StringComparer.Ordinal);
    readonly MethodFinder _finder;
    readonly ReferenceWriter _references;

    /// <summary>An empty profile.</summary>
    /// <param name="finder">Knows the classes of histograms.</param>
    public ProfileWriter(MethodFinder finder)
    {
        _finder = finder;
        _references = new ReferenceWriter(_metadata);
    }

    /// <summary>Adds a method.</summary>
    /// <param name="method">Which.</param>
    /// <param name="counters">Its counters.</param>
    public void Add(MethodBase method, IEnumerable<Counter> counters)
    {
        InstructionEncoder il = GroupOf(method.DeclaringType!);
        WriteToken(il, _references.Method(method));
        il.LoadString(_metadata.GetOrAddUserString("InstrumentationDataStart"));
        foreach (Counter counter in counters)
        {
            Write(il, counter);
        }

        il.LoadString(_metadata.GetOrAddUserString("InstrumentationDataEnd"));
        il.OpCode(ILOpCode.Pop);
    }

    /// <summary>Writes the file.</summary>
    /// <param name="path">Where; its name is that of the assembly, too.</param>
    public void Save(string path)
    {
        string name = Path.GetFileName(path);
        _metadata.AddModule(0, _metadata.GetOrAddString(name), _metadata.GetOrAddGuid(Identity.Guid), default, default);
        _metadata.AddAssembly(_metadata.GetOrAddString(name), new Version(0, 0, 0, 0), default, default, default, AssemblyHashAlgorithm.None);
        _metadata.AddTypeDefinition(default, default, _metadata.GetOrAddString("<Module>"), default, MetadataTokens.FieldDefinitionHandle(1),
            MetadataTokens.MethodDefinitionHandle(1));
        WriteDictionary();

        var image = new BlobBuilder();
        new ManagedPEBuilder(PEHeaderBuilder.CreateLibraryHeader(), new MetadataRootBuilder(_metadata), _bodies.Builder,
            deterministicIdProvider: _ => Identity).Serialize(image);
        using var zip = new ZipArchive(File.Create(path), ZipArchiveMode.Create);
        ZipArchiveEntry entry = zip.CreateEntry($"{name}.dll", CompressionLevel.SmallestSize);
        entry.LastWriteTime = Time;
        using Stream stream = entry.Open();
        image.WriteContentTo(stream);
    }

    // The compilers skip a group that needs an assembly they do not compile.
    InstructionEncoder GroupOf(Type type)
    {
        string own = type.Assembly.GetName().Name!;
        string name = string.Concat(AssembliesOf(type).Where(needed => !string.Equals(needed, own,
            StringComparison.Ordinal)).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal).Prepend(own).Select(needed => needed + ";"));
        if (!_groups.TryGetValue(name, out InstructionEncoder il))
        {
            il = new InstructionEncoder(new BlobBuilder());
            _groups.Add(name, il);
        }

        return il;
    }

    static IEnumerable<string> AssembliesOf(Type type) =>
        type.HasElementType ? AssembliesOf(type.GetElementType()!) : type.GetGenericArguments().SelectMany(AssembliesOf).Append(type.Assembly.GetName().Name!);

    void Write(InstructionEncoder il, Counter counter)
    {
        bool isHistogram = counter.Kind is InstrumentationKind.ClassHistogram;
        il.LoadConstantI4(AllFields);
        il.LoadConstantI4(counter.IlOffset);
        il.LoadConstantI4((int)counter.Kind);
        il.LoadConstantI4(isHistogram ? counter.Classes.Count : 1);
        il.LoadConstantI4(unchecked((int)counter.Other));
        if (!isHistogram)
        {
            il.LoadConstantI4((int)Math.Min(counter.Count, int.MaxValue));
            return;
        }

        foreach (string? name in counter.Classes)
        {
            if (name is not null && _finder.FindClass(name) is { } type)
            {
                WriteToken(il, _references.Type(type));
            }
            else
            {
                il.LoadConstantI4(0);
            }
        }
    }

    void WriteDictionary()
    {
        var dictionary = new InstructionEncoder(new BlobBuilder());
        foreach ((string name, InstructionEncoder il) in _groups)
        {
            dictionary.LoadString(_metadata.GetOrAddUserString(name));
            WriteToken(dictionary, AddMethod($"Assemblies_{name}", il));
            dictionary.OpCode(ILOpCode.Pop);
        }

        AddMethod("AssemblyDictionary", dictionary);
    }

    MethodDefinitionHandle AddMethod(string name, InstructionEncoder il)
    {
        il.OpCode(ILOpCode.Ret);
        var signature = new BlobBuilder();
        new BlobEncoder(signature).MethodSignature().Parameters(0, result => result.Void(), _ => { });
        return _metadata.AddMethodDefinition(
            MethodAttributes.Public | MethodAttributes.Static, MethodImplAttributes.IL, _metadata.GetOrAddString(name), _metadata.GetOrAddBlob(signature),
                _bodies.AddMethodBody(il), default);
    }

    static void WriteToken(InstructionEncoder il, EntityHandle handle)
    {
        il.OpCode(ILOpCode.Ldtoken);
        il.Token(handle);
    }
}
