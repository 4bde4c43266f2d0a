using System.IO;
using System.IO.Compression;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Input;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>Traces inside an archive, through the inputs that commands use.</summary>
public class EtlZipTests
{
    [SharedTheory]
    [InlineData("gcevents.etl.zip", 71)]
    [InlineData("net.4.5.2.x64.etl.zip", 179_474)]
    [InlineData("primitive-types.etl.zip", 7)]
    public void Open_Archive_ReadsTheTraceInIt(string name, long records)
    {
        using EtlFile file = EtlFile.Open(TraceInputs.OpenSeekable(SharedFolder.PathOf("traces", "etl", name)));
        Assert.Equal(records, EtlEventCounter.Count(file).Records);
        Assert.EndsWith(name, file.Path, System.StringComparison.Ordinal);
    }

    [Fact]
    public void Open_GzippedFile_ReadsAsThePlainOne()
    {
        byte[] bytes = EtlFixtures.Write(EtlFixtures.Header, EtlFixtures.Records(300), compress: true);
        string path = Path.GetTempFileName();
        try
        {
            using (var gzip = new GZipStream(File.Create(path), CompressionLevel.Fastest))
            {
                gzip.Write(bytes);
            }

            using EtlFile plain = EtlSamples.Open(bytes);
            using EtlFile packed = EtlFile.Open(TraceInputs.OpenSeekable(path));
            Assert.Equal(EtlFixtures.ReadAll(plain), EtlFixtures.ReadAll(packed));
            Assert.Equal(301, EtlFixtures.ReadAll(packed, EtlReadOrder.Time).Count);
        }
        finally
        {
            File.Delete(path);
        }
    }
}
