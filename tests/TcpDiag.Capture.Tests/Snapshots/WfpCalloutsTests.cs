using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using TcpDiag.Capture.Windows.Snapshots;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Capture.Tests.Snapshots;

/// <summary>FWPM_CALLOUT0 as a 64-bit Windows lays it out; the calls that fetch it need one.</summary>
public sealed class WfpCalloutsTests
{
    static readonly Guid Key = new("e0d5f1d3-0b0b-4f2b-8d3b-0f3b4c2a9d11");
    static readonly Guid Layer = new("3b89653c-c170-49e4-b1cd-e0eeeee19a3e");

    [Theory]
    [InlineData(0x0004_0000u, 3)]
    [InlineData(0x0001_0000u, 0)]
    public void Facts_Callout_IsToldWhenADriverAnswersForIt(uint flags, int facts)
    {
        nint name = Marshal.StringToHGlobalUni("Acme VPN stream inspection");
        byte[] callout = GC.AllocateArray<byte>(88, pinned: true);
        Key.TryWriteBytes(callout);
        BinaryPrimitives.WriteInt64LittleEndian(callout.AsSpan(16), name);
        BinaryPrimitives.WriteUInt32LittleEndian(callout.AsSpan(32), flags);
        Layer.TryWriteBytes(callout.AsSpan(64));
        BinaryPrimitives.WriteUInt32LittleEndian(callout.AsSpan(80), 77);

        var found = WfpCallouts.Facts([Marshal.UnsafeAddrOfPinnedArrayElement(callout, 0)]);
        Marshal.FreeHGlobal(name);

        SnapshotFact[] all = [new(Key.ToString(), "name", "Acme VPN stream inspection"), new(Key.ToString(), "layer", Layer.ToString()), new(Key.ToString(), "id", "77")];
        Assert.Equal(all[..facts], found);
    }
}
