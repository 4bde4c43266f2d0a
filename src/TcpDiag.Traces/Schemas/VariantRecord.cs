namespace TcpDiag.Traces.Schemas;

/// <summary>An event variant as it stands in the resource; strings and layouts by their index.</summary>
readonly record struct VariantRecord(
    int Id, int Version, int Name, int Opcode, int Task, byte Level, int KeywordSet, int Layout, uint BuildMask);
