using Xunit;

namespace TcpDiag.Analysis.Tests;

/// <summary>Tests that measure the whole process: nothing else runs beside them.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
