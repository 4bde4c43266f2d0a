namespace TcpDiag.SchemaGenerator;

/// <summary>A field as the event lists show it.</summary>
sealed record EventRowField(string Type, string Name);
