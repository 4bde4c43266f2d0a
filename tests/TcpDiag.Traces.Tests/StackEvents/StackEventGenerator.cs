using System;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Tests.StackEvents;

/// <summary>Arbitrary stack events for property tests.</summary>
static class StackEventGenerator
{
    public static Arbitrary<StackEvent> Arbitrary => Create().ToArbitrary();

    static Gen<StackEvent> Create() =>
        from seed in ArbMap.Default.GeneratorFor<int>()
        from text in ArbMap.Default.GeneratorFor<string?>()
        from source in ArbMap.Default.GeneratorFor<NonNull<string>>()
        select Build(new Random(seed), Encodable(text), Encodable(source.Get)!);

    static StackEvent Build(Random random, string? text, string source)
    {
        var made = new StackEvent();
        made.Reset((StackEventKind)random.Next(StackEventNames.KindCount), new TraceTime(random.NextInt64(long.MinValue, long.MaxValue)), source);
        made.Text = text;
        made.Tcb = random.Next(2) == 0 ? 0 : unchecked((ulong)random.NextInt64(long.MinValue, long.MaxValue));
        made.ProcessId = random.Next(2) == 0 ? null : (uint)random.NextInt64(uint.MaxValue + 1L);
        made.Local = AnyEndpoint(random);
        made.Remote = AnyEndpoint(random);
        for (int i = random.Next(StackEventNames.FieldCount); i > 0; i--)
        {
            made.Set((StackField)random.Next(StackEventNames.FieldCount), random.NextInt64(long.MinValue, long.MaxValue));
        }

        return made;
    }

    static Endpoint? AnyEndpoint(Random random)
    {
        ushort port = (ushort)random.Next(65536);
        return random.Next(4) switch
        {
            0 => null,
            1 => new Endpoint(IpAddress.FromIpv4((uint)random.NextInt64(uint.MaxValue + 1L)), port),
            2 => new Endpoint(new IpAddress(unchecked((ulong)random.NextInt64(long.MinValue, long.MaxValue)), (ulong)random.Next(70000)), port),
            _ => new Endpoint(new IpAddress(0, (ulong)random.NextInt64(long.MaxValue)), port),
        };
    }

    // A lone surrogate has no UTF-8 form: such texts do not come out of a decoder.
    static string? Encodable(string? text) =>
        text is null ? null : System.Text.Encoding.UTF8.GetString(System.Text.Encoding.UTF8.GetBytes(text));
}
