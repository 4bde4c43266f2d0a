using System.Collections.Generic;
using System.Text;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Schemas;
using Xunit;

namespace TcpDiag.Traces.Tests.Schemas;

/// <summary>Each value of primitive-types.etl, read from the bytes by hand; its instants and lengths are those Windows decoded.</summary>
public class PrimitiveTypesTests
{
    // The program logged its int64 as in-type 0x0A, an unsigned number (the byte behind the name "int64_type" in the file):
    // −204 is 2^64 − 204 then, for Windows' own decoder as well.
    static readonly string[] Expected =
    [
        "string_type=Mercury boolean_type=false char_type=M int16_type=-51 int32_type=-102 uint16_type=51 uint32_type=102 "
        + "int64_type=18446744073709551412 uint64_type=204 guid_type=0ad614c4-0ef4-4225-8013-f44f37cb0397 "
        + "file_time_type=2021-09-09T14:59:35.799000000Z system_time_type=2021-09-09T14:59:35.799",
        "string_type=Venus boolean_type=true char_type=V int16_type=-95 int32_type=-190 uint16_type=95 uint32_type=190 "
        + "int64_type=18446744073709551236 uint64_type=380 guid_type=e04ff801-9ea3-494f-a10e-8ef833e9099f "
        + "file_time_type=2021-09-09T14:59:36.239000000Z system_time_type=2021-09-09T14:59:36.239",
        "string_type=Earth boolean_type=false char_type=E int16_type=-65 int32_type=-130 uint16_type=65 uint32_type=130 "
        + "int64_type=18446744073709551356 uint64_type=260 guid_type=c7a6c80e-f2a6-4220-ab98-d7c21a58f9fb "
        + "file_time_type=2021-09-09T14:59:36.671000000Z system_time_type=2021-09-09T14:59:36.671",
        "string_type=Mars boolean_type=false char_type=M int16_type=-29 int32_type=-58 uint16_type=29 uint32_type=58 "
        + "int64_type=18446744073709551500 uint64_type=116 guid_type=0a922cee-67c1-4108-b39d-b132e47033c4 "
        + "file_time_type=2021-09-09T14:59:37.048000000Z system_time_type=2021-09-09T14:59:37.048",
        "string_type=Jupiter boolean_type=true char_type=J int16_type=-69 int32_type=-138 uint16_type=69 uint32_type=138 "
        + "int64_type=18446744073709551340 uint64_type=276 guid_type=bb11b97b-1110-4eb6-bc33-fd71219d322e "
        + "file_time_type=2021-09-09T14:59:37.484000000Z system_time_type=2021-09-09T14:59:37.484",
    ];

    /// <summary>Payload lengths of oracle-windows.tsv.</summary>
    static readonly int[] Lengths = [78, 76, 76, 75, 78];

    [SharedFact]
    public void AppendText_PrimitiveTypes_GivesEachValue()
    {
        using EtlFile file = EtlFile.Open(TraceInputs.OpenSeekable(SharedFolder.PathOf("traces", "etl", "primitive-types.etl.zip")));
        var finder = new EventSchemaFinder((int)file.Header.Build, new InFileSchemas());
        var formatter = new EventFormatter();
        var texts = new List<string>();
        var lengths = new List<int>();
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.Time);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            if (record.HeaderType == EtlHeaderType.Event)
            {
                EventSchema schema = finder.Find(record).Schema!;
                Assert.Equal(("solar_system", "PrimitiveTypesTest"), (schema.ProviderName, schema.Name));
                var text = new StringBuilder();
                formatter.AppendText(text, schema, record.Payload, record.Is64Bit);
                texts.Add(text.ToString());
                lengths.Add(record.Payload.Length);
            }
        }

        Assert.Equal(Expected, texts);
        Assert.Equal(Lengths, lengths);
    }
}
