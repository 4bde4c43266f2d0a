using System;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Tcp.Tests.Units;

namespace TcpDiag.Tcp.Tests.Timing;

public class MinRttFilterTests
{
    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void MinRtt_NoSample_IsZero() => Assert.Equal(0, default(MinRttFilter).MinRttNanos);

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 8985 §6.2 step 1
    public void OnSample_InsideTheWindow_KeepsTheSmallest()
    {
        MinRttFilter filter = default;
        filter.OnSample(new TraceTime(0), 40 * Ms);
        filter.OnSample(new TraceTime(1 * Second), 50 * Ms);
        filter.OnSample(new TraceTime(2 * Second), 45 * Ms);
        Assert.Equal(40 * Ms, filter.MinRttNanos);

        filter.OnSample(new TraceTime(3 * Second), 39 * Ms);
        Assert.Equal(39 * Ms, filter.MinRttNanos);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 8985 §6.2 step 1: a windowed minimum follows a longer path
    public void OnSample_LongerPath_FollowsWhenTheWindowHasPassed()
    {
        MinRttFilter filter = default;
        for (int second = 0; second <= 10; second++)
        {
            filter.OnSample(new TraceTime(second * Second), second < 2 ? 40 * Ms : 90 * Ms, windowNanos: 5 * Second);
            Assert.Equal(second <= 6 ? 40 * Ms : 90 * Ms, filter.MinRttNanos); // the last 40 ms sample is from second 1
        }
    }

    [Fact]
    [Trait(Tier.Name, Tier.Detail)] // a candidate is taken from each part of the window
    public void OnSample_BestLeaves_TheBestOfTheLaterWindowFollows()
    {
        MinRttFilter filter = default;
        (long Second, long Rtt)[] samples = [(0, 40), (3, 70), (5, 60), (6, 65), (8, 90), (11, 90)];
        foreach ((long second, long rtt) in samples)
        {
            filter.OnSample(new TraceTime(second * Second), rtt * Ms, windowNanos: 10 * Second);
        }

        Assert.Equal(60 * Ms, filter.MinRttNanos);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void OnSample_AfterALongSilence_StartsAnew()
    {
        MinRttFilter filter = default;
        filter.OnSample(new TraceTime(0), 40 * Ms);
        filter.OnSample(new TraceTime(301 * Second), 90 * Ms);
        Assert.Equal(90 * Ms, filter.MinRttNanos);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void MinRtt_AnySamples_LiesBetweenTheSmallestOfTheWindowAndTheLatest() =>
        Prop.ForAll<(byte Gap, byte Rtt)[]>(samples =>
        {
            const long Window = 1_000;
            MinRttFilter filter = default;
            var taken = new (long Time, long Rtt)[samples.Length];
            long now = 0;
            for (int i = 0; i < samples.Length; i++)
            {
                now += samples[i].Gap;
                taken[i] = (now, samples[i].Rtt + 1);
                filter.OnSample(new TraceTime(now), taken[i].Rtt, Window);
                (long Time, long Rtt)[] inside = Array.FindAll(taken[..(i + 1)], sample => now - sample.Time <= Window);
                if (!Array.Exists(inside, sample => sample.Rtt == filter.MinRttNanos) || filter.MinRttNanos > taken[i].Rtt)
                {
                    return false;
                }
            }

            return true;
        }).QuickCheckThrowOnFailure();
}
