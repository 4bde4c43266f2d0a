using System;
using System.IO;
using TcpDiag.Capture;
using TcpDiag.Cli.Recording;
using Xunit;

namespace TcpDiag.Cli.Tests.Recording;

public sealed class SplitFilesTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-split").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Next_SeveralFiles_AreNumberedInOrderAndNamed()
    {
        var files = new SplitFiles(In("slow.pcapng"));

        Assert.Equal(In("slow-001.pcapng"), files.Next());
        Assert.Equal($"the recording is in {In("slow-001.pcapng")}; each opens alone, and commands read several as one", files.Remark);
        Assert.Equal(In("slow-002.pcapng"), files.Next());
        Assert.Equal($"the recording is in {In("slow-001.pcapng")} to {In("slow-002.pcapng")}; each opens alone, and commands read several as one",
            files.Remark);
    }

    [Theory]
    [InlineData("slow-001.pcapng", true)]
    [InlineData("slow-1000.pcapng", true)]
    [InlineData("slow-.pcapng", false)]
    [InlineData("slow-a.pcapng", false)]
    [InlineData("slow-001.pcap", false)]
    [InlineData("fast-001.pcapng", false)]
    [InlineData("slow.pcapng", false)]
    public void Create_FileIsThere_IsRefusedIfItLooksLikeAPart(string there, bool isRefused)
    {
        File.WriteAllText(In(there), "kept");

        if (isRefused)
        {
            var exception = Assert.Throws<CaptureException>(() => new SplitFiles(In("slow.pcapng")));
            Assert.Equal($"{In(there)} is there: it would be taken for a part of this recording. Remove such files, or choose another name.",
                exception.Message);
        }
        else
        {
            Assert.Equal(In("slow-001.pcapng"), new SplitFiles(In("slow.pcapng")).Next());
        }

        Assert.Equal("kept", File.ReadAllText(In(there)));
    }

    string In(string name) => Path.Combine(_folder, name);
}
