using TcpDiag.Traces.Etl;

namespace TcpDiag.Traces.Schemas;

/// <summary>Reads a trace once, in file order, for the schemas that it brings along.</summary>
public static class InFileSchemaReader
{
    /// <summary>Collects the schemas of a file.</summary>
    /// <param name="file">The file.</param>
    /// <returns>What was found.</returns>
    public static InFileSchemas Read(EtlFile file)
    {
        var scan = new InFileSchemaScan();
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.File);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            scan.Add(record);
        }

        return scan.Schemas;
    }
}
