namespace TcpDiag.Traces.Schemas;

/// <summary>What <see cref="PayloadReader"/> has come to.</summary>
public enum PayloadFieldKind
{
    /// <summary>A field with its value, or an array with all its elements.</summary>
    Value = 0,

    /// <summary>A struct, or one more element of an array of structs, begins.</summary>
    StructStart,

    /// <summary>It ends.</summary>
    StructEnd,
}
