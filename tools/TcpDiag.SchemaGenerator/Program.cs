using System;
using System.IO;

namespace TcpDiag.SchemaGenerator;

/// <summary>
/// Writes the resource with the events of Windows: <c>dotnet run --project tools/TcpDiag.SchemaGenerator -- SHARED OUT</c>,
/// where SHARED holds etw/builds, etw/manifests and design/pktmon-enums.tsv. docs/formats/schemas.md describes the format.
/// </summary>
static class Program
{
    static int Main(string[] args)
    {
        if (args.Length != 2)
        {
            Console.Error.WriteLine("usage: TcpDiag.SchemaGenerator SHARED-FOLDER OUTPUT-FILE");
            return 2;
        }

        byte[] resource = Generator.Generate(args[0]);
        File.WriteAllBytes(args[1], resource);
        Console.WriteLine($"{args[1]}: {resource.Length} bytes");
        return 0;
    }
}
