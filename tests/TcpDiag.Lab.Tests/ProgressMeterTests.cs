using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Lab.Matrix;
using Xunit;

namespace TcpDiag.Lab.Tests;

public sealed class ProgressMeterTests
{
    static readonly PlannedIteration Planned = PlannedIteration.Plan(MatrixReader.Read("m", "sides: {a: {}}"), 1).Single();

    [Fact]
    public void Report_RunsMade_EstimatesTheRestByThem()
    {
        Clock clock = new();
        List<LabProgress> reported = [];
        ProgressMeter meter = new(reported.Add, clock, count: 8, finished: 2);
        meter.Report(Planned);
        clock.Seconds = 10;
        meter.Finish();
        clock.Seconds = 20;
        meter.Finish();
        meter.Report(Planned);

        // Two runs in 20 s, four of eight left.
        Assert.Equal([(2, null), (4, TimeSpan.FromSeconds(40))], reported.Select(progress => (progress.Done, progress.Left)));
        Assert.All(reported, progress => Assert.Equal(8, progress.Count));
    }

    sealed class Clock : TimeProvider
    {
        public long Seconds { get; set; }

        public override long TimestampFrequency => 1;

        public override long GetTimestamp() => Seconds;
    }
}
