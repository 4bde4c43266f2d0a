using System;
using System.IO;
using Xunit;

namespace TcpDiag.Testing;

/// <summary>Text baselines: compared on every run, rewritten only when TCPDIAG_UPDATE_BASELINES=1.</summary>
public static class Baseline
{
    /// <summary>Compares text with its baseline; line endings do not matter.</summary>
    /// <param name="actual">What the code produced: integers and ticks, never formatted floats.</param>
    /// <param name="path">Path below the project's root, e.g. <c>tests/fixtures/bulk.txt</c>.</param>
    public static void Verify(string actual, string path)
    {
        string file = ProjectFolder.PathOf(path);
        string text = actual.ReplaceLineEndings("\n");
        if (Environment.GetEnvironmentVariable("TCPDIAG_UPDATE_BASELINES") is "1")
        {
            File.WriteAllText(file, text);
        }

        Assert.True(File.Exists(file), $"{path} is missing; make it with TCPDIAG_UPDATE_BASELINES=1");
        Assert.Equal(File.ReadAllText(file).ReplaceLineEndings("\n"), text);
    }
}
