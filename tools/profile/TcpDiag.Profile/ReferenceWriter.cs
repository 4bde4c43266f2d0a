using System;
using System.Collections.Generic;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace TcpDiag.Profile;

/// <summary>Writes references to types and methods of other assemblies (ECMA-335 II.22 and II.23.2).</summary>
sealed class ReferenceWriter(MetadataBuilder metadata)
{
    static readonly Dictionary<Type, SignatureTypeCode> Primitives = new()
    {
        [typeof(void)] = SignatureTypeCode.Void,
        [typeof(bool)] = SignatureTypeCode.Boolean,
        [typeof(char)] = SignatureTypeCode.Char,
        [typeof(sbyte)] = SignatureTypeCode.SByte,
        [typeof(byte)] = SignatureTypeCode.Byte,
        [typeof(short)] = SignatureTypeCode.Int16,
        [typeof(ushort)] = SignatureTypeCode.UInt16,
        [typeof(int)] = SignatureTypeCode.Int32,
        [typeof(uint)] = SignatureTypeCode.UInt32,
        [typeof(long)] = SignatureTypeCode.Int64,
        [typeof(ulong)] = SignatureTypeCode.UInt64,
        [typeof(float)] = SignatureTypeCode.Single,
        [typeof(double)] = SignatureTypeCode.Double,
        [typeof(string)] = SignatureTypeCode.String,
        [typeof(nint)] = SignatureTypeCode.IntPtr,
        [typeof(nuint)] = SignatureTypeCode.UIntPtr,
        [typeof(object)] = SignatureTypeCode.Object,
        [typeof(TypedReference)] = SignatureTypeCode.TypedReference,
    };

    readonly Dictionary<string, AssemblyReferenceHandle> _assemblies = new(StringComparer.Ordinal);
    readonly Dictionary<Type, EntityHandle> _types = [];

    /// <summary>A reference to a type.</summary>
    /// <param name="type">Which.</param>
    /// <returns>Its token.</returns>
    public EntityHandle Type(Type type)
    {
        if (!_types.TryGetValue(type, out EntityHandle handle))
        {
            handle = type.IsConstructedGenericType || type.HasElementType ? Specification(type) : Reference(type);
            _types.Add(type, handle);
        }

        return handle;
    }

    /// <summary>A reference to a method.</summary>
    /// <param name="method">Which; without type arguments of its own.</param>
    /// <returns>Its token.</returns>
    public EntityHandle Method(MethodBase method)
    {
        // A signature is that of the definition, whatever the type arguments of the class.
        MethodBase definition = method.Module.ResolveMethod(method.MetadataToken)!;
        var signature = new BlobBuilder();
        signature.WriteByte((byte)(definition.IsStatic ? SignatureAttributes.None : SignatureAttributes.Instance));
        signature.WriteCompressedInteger(definition.GetParameters().Length);
        Write(signature, definition is MethodInfo { ReturnParameter: { } result } ? [result, .. definition.GetParameters()]
            : [null, .. definition.GetParameters()]);
        return metadata.AddMemberReference(Type(method.DeclaringType!), metadata.GetOrAddString(method.Name), metadata.GetOrAddBlob(signature));
    }

    EntityHandle Specification(Type type)
    {
        var signature = new BlobBuilder();
        Write(signature, type);
        return metadata.AddTypeSpecification(metadata.GetOrAddBlob(signature));
    }

    EntityHandle Reference(Type type) => type.DeclaringType is { } outer
        ? metadata.AddTypeReference(Type(outer), default, metadata.GetOrAddString(type.Name))
        : metadata.AddTypeReference(Assembly(type.Assembly.GetName().Name!), metadata.GetOrAddString(type.Namespace ?? string.Empty),
            metadata.GetOrAddString(type.Name));

    AssemblyReferenceHandle Assembly(string name)
    {
        if (!_assemblies.TryGetValue(name, out AssemblyReferenceHandle handle))
        {
            handle = metadata.AddAssemblyReference(metadata.GetOrAddString(name), new Version(0, 0, 0, 0), default, default, default, default);
            _assemblies.Add(name, handle);
        }

        return handle;
    }

    void Write(BlobBuilder signature, IEnumerable<ParameterInfo?> resultAndParameters)
    {
        foreach (ParameterInfo? parameter in resultAndParameters)
        {
            foreach (Type modifier in parameter?.GetRequiredCustomModifiers() ?? [])
            {
                signature.WriteByte((byte)SignatureTypeCode.RequiredModifier);
                signature.WriteCompressedInteger(CodedIndex.TypeDefOrRefOrSpec(Type(modifier)));
            }

            Write(signature, parameter?.ParameterType ?? typeof(void));
        }
    }

    void Write(BlobBuilder signature, Type type)
    {
        if (Primitives.TryGetValue(type, out SignatureTypeCode primitive))
        {
            signature.WriteByte((byte)primitive);
        }
        else if (type.IsGenericParameter)
        {
            signature.WriteByte((byte)(type.IsGenericMethodParameter ? SignatureTypeCode.GenericMethodParameter : SignatureTypeCode.GenericTypeParameter));
            signature.WriteCompressedInteger(type.GenericParameterPosition);
        }
        else if (type.HasElementType)
        {
            signature.WriteByte((byte)(type.IsByRef ? SignatureTypeCode.ByReference : type.IsPointer ? SignatureTypeCode.Pointer : SignatureTypeCode.SZArray));
            Write(signature, type.GetElementType()!);
        }
        else
        {
            WriteNamed(signature, type);
        }
    }

    void WriteNamed(BlobBuilder signature, Type type)
    {
        Type[] arguments = type.GetGenericArguments();
        if (arguments.Length > 0)
        {
            signature.WriteByte((byte)SignatureTypeCode.GenericTypeInstance);
        }

        signature.WriteByte((byte)(type.IsValueType ? SignatureTypeKind.ValueType : SignatureTypeKind.Class));
        signature.WriteCompressedInteger(CodedIndex.TypeDefOrRefOrSpec(Type(arguments.Length > 0 ? type.GetGenericTypeDefinition() : type)));
        if (arguments.Length > 0)
        {
            signature.WriteCompressedInteger(arguments.Length);
            Array.ForEach(arguments, argument => Write(signature, argument));
        }
    }
}
