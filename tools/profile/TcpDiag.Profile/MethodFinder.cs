using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;

namespace TcpDiag.Profile;

/// <summary>Finds what the runtime's names mean, in the assemblies beside this program.</summary>
sealed class MethodFinder
{
    const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;

    // A class is named without its assembly, and so are its type arguments.
    readonly Assembly[] _assemblies =
    [
        .. Directory.GetFiles(AppContext.BaseDirectory, "*.dll")
            .Where(file => Path.GetFileName(file).StartsWith("tcpdiag", StringComparison.OrdinalIgnoreCase))
            .Select(file => Assembly.Load(Path.GetFileNameWithoutExtension(file))),
        typeof(object).Assembly,
    ];

    readonly Dictionary<string, Type?> _types = new(StringComparer.Ordinal);

    /// <summary>The class of a name.</summary>
    /// <param name="name">With or without assemblies.</param>
    /// <returns>The class; null if there is none.</returns>
    public Type? FindClass(string name)
    {
        if (!_types.TryGetValue(name, out Type? type))
        {
            type = Type.GetType(name, assemblyResolver: null, Resolve, throwOnError: false);
            _types.Add(name, type);
        }

        return type;
    }

    /// <summary>
    /// The method of a name: the one of that size. Methods with type arguments of their own are left out, as their names do not tell
    /// for which types they were compiled.
    /// </summary>
    /// <param name="name">Of the runtime.</param>
    /// <returns>The method; null if there is none or more than one.</returns>
    public MethodBase? Find(MethodName name)
    {
        MethodBase[] found = [.. Named(name.FullName).Where(method => method.IsStatic != name.IsInstance
            && method.GetMethodBody()?.GetILAsByteArray()?.Length == name.IlBytes)];
        return found is [{ IsGenericMethodDefinition: false } one] ? one : null;
    }

    // A method's name may hold dots, too: ".ctor", or "IList.Add" where that interface is implemented.
    IEnumerable<MethodBase> Named(string fullName)
    {
        for (int dot = fullName.LastIndexOf('.'); dot > 0; dot = fullName.LastIndexOf('.', dot - 1))
        {
            if (FindClass(fullName[..dot]) is { } type)
            {
                return type.GetMembers(Declared).OfType<MethodBase>().Where(method => string.Equals(method.Name, fullName[(dot + 1)..],
                    StringComparison.Ordinal));
            }
        }

        return [];
    }

    Type? Resolve(Assembly? assembly, string name, bool ignoreCase) =>
        assembly is null ? _assemblies.Select(candidate => candidate.GetType(name)).FirstOrDefault(type => type is not null) : assembly.GetType(name);
}
