namespace TcpDiag.Traces.Schemas;

/// <summary>A schema and how it was found.</summary>
/// <param name="Schema">The schema, or null when there is none.</param>
/// <param name="Kind">How it was found.</param>
public readonly record struct SchemaMatch(EventSchema? Schema, SchemaMatchKind Kind);
