using System;

namespace TcpDiag.Traces.Schemas;

/// <summary>What manifests are known to say wrong about their events.</summary>
static class ManifestErrata
{
    static readonly Guid DotNetRuntime = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    static readonly Guid DotNetRundown = new("a669021c-c450-4609-a035-5af59af4df18");

    /// <summary>Corrects a schema.</summary>
    /// <param name="schema">As the manifest has it.</param>
    /// <returns>As the events are; the same schema where nothing is known to be wrong.</returns>
    public static EventSchema Correct(EventSchema schema) =>
        schema.Provider == DotNetRuntime || schema.Provider == DotNetRundown ? CorrectStackWalk(schema) : schema;

    // The manifest of .NET says two addresses; all 14,983 events 82 of a real trace have FrameCount of them.
    static EventSchema CorrectStackWalk(EventSchema schema)
    {
        int count = schema.IndexOf("FrameCount");
        int stack = schema.IndexOf("Stack");
        if (count < 0 || stack <= count || schema.Fields[stack].Count.Source != FieldLengthSource.Constant)
        {
            return schema;
        }

        FieldSchema[] fields = schema.Fields.ToArray();
        fields[stack] = fields[stack] with { Count = FieldLength.In(count) };
        return schema.With(fields);
    }
}
