using TcpDiag.Traces.StackEvents;
using Xunit;

namespace TcpDiag.Traces.Tests.StackEvents;

/// <summary>Compares stack events member by member.</summary>
static class StackEventComparer
{
    public static void AssertEqual(StackEvent expected, StackEvent actual)
    {
        Assert.Equal(expected.Kind, actual.Kind);
        Assert.Equal(expected.Time, actual.Time);
        Assert.Equal(expected.Source, actual.Source);
        Assert.Equal(expected.Tcb, actual.Tcb);
        Assert.Equal(expected.ProcessId, actual.ProcessId);
        Assert.Equal(expected.Local, actual.Local);
        Assert.Equal(expected.Remote, actual.Remote);
        Assert.Equal(expected.Text, actual.Text);
        for (int i = 0; i < StackEventNames.FieldCount; i++)
        {
            bool told = expected.TryGet((StackField)i, out long value);
            Assert.Equal(told, actual.TryGet((StackField)i, out long other));
            Assert.Equal(value, other);
        }
    }
}
