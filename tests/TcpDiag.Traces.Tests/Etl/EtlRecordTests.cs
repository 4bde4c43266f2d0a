using System;
using System.Globalization;
using System.Linq;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>Each family of header from hand-written bytes; offsets as in docs/formats/etl.md.</summary>
public class EtlRecordTests
{
    static readonly Guid Provider = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");

    const string ProviderBytes = "EE E2 07 2F DB 15 F1 40 90 EF 9D 7B A2 82 18 8A";
    const string TimeBytes = "88 77 66 55 44 33 22 11";
    const long Time = 0x1122_3344_5566_7788;

    [Theory]
    [InlineData("12", false)]
    [InlineData("13", true)]
    public void TryParse_Event_ReadsEveryField(string type, bool is64Bit)
    {
        // Size 0x53 = 80 + 3; flags, property; thread, process; id 1332, version 3, channel 16, level 4, opcode 9, task 0x0534.
        EtlRecord record = Parse(
            $"53 00 {type} C0  00 00 00 00  04 03 02 01  08 07 06 05  {TimeBytes}  {ProviderBytes}" +
            "34 05 03 10 04 09 34 05  01 02 03 04 05 06 07 80  00 00 00 00 00 00 00 00" +
            $"{ProviderBytes}  AA BB CC  00 00 00 00 00");
        Assert.Equal(EtlHeaderType.Event, record.HeaderType);
        Assert.Equal(is64Bit, record.Is64Bit);
        Assert.Equal(0x0102_0304u, record.ThreadId);
        Assert.Equal(0x0506_0708u, record.ProcessId);
        Assert.Equal(Time, record.Ticks);
        Assert.Equal(Provider, record.Provider);
        Assert.Equal(1332, record.Id);
        Assert.Equal(3, record.Version);
        Assert.Equal(16, record.Channel);
        Assert.Equal(4, record.Level);
        Assert.Equal(9, record.Opcode);
        Assert.Equal(0x0534, record.Task);
        Assert.Equal(0x8007_0605_0403_0201, record.Keywords);
        Assert.Equal(Provider, record.ActivityId);
        Assert.False(record.IsClassic);
        Assert.True(record.ExtendedData.IsEmpty);
        Assert.Equal([0xAA, 0xBB, 0xCC], record.Payload.ToArray());
        Assert.Equal(0x53, record.Bytes.Length);
    }

    [Fact]
    public void TryParse_EventWithExtendedItems_FindsItemsAndPayload()
    {
        // Items: type 13, 8 bytes, another follows; type 1, 16 bytes, last. 80 + 16 + 24 + 2 = 122 = 0x7A.
        EtlRecord record = Parse(
            $"7A 00 13 C0  01 00 00 00  00 00 00 00  00 00 00 00  {TimeBytes}  {ProviderBytes}" + Zeros(0x50 - 0x28) +
            "10 00 0D 00 01 00 08 00  01 00 00 00 00 00 00 00" +
            $"18 00 01 00 00 00 10 00  {ProviderBytes}  55 66");
        Assert.Equal(40, record.ExtendedData.Length);
        Assert.Equal([0x55, 0x66], record.Payload.ToArray());
        var items = new EtlExtendedItems(record.ExtendedData);
        Assert.True(items.MoveNext());
        Assert.Equal(EtlExtendedItemType.ProcessStartKey, items.Current.Type);
        Assert.Equal(8, items.Current.Data.Length);
        Assert.True(items.MoveNext());
        Assert.Equal(EtlExtendedItemType.RelatedActivityId, items.Current.Type);
        Assert.Equal(Provider, new Guid(items.Current.Data));
        Assert.False(items.MoveNext());
    }

    [Fact]
    public void TryParse_EventWhoseItemsRunOver_TakesTheRestAsPayload()
    {
        // The item claims 0x20 bytes, 8 are left.
        EtlRecord record = Parse(
            $"58 00 13 C0  01 00 00 00  00 00 00 00  00 00 00 00  {TimeBytes}  {ProviderBytes}" + Zeros(0x50 - 0x28) + "20 00 0D 00 01 00 08 00");
        Assert.True(record.ExtendedData.IsEmpty);
        Assert.Equal(8, record.Payload.Length);
    }

    [Theory]
    [InlineData("0A", false, EtlHeaderType.Full, 0x30)]
    [InlineData("14", true, EtlHeaderType.Full, 0x30)]
    [InlineData("0B", false, EtlHeaderType.Instance, 0x48)]
    [InlineData("15", true, EtlHeaderType.Instance, 0x48)]
    public void TryParse_ClassicEvent_ReadsOpcodeAndClass(string type, bool is64Bit, EtlHeaderType family, int headerLength)
    {
        string size = (headerLength + 4).ToString("X2", CultureInfo.InvariantCulture);
        EtlRecord record = Parse(
            $"{size} 00 {type} C0  21 05 03 02  04 03 02 01  08 07 06 05  {TimeBytes}  {ProviderBytes}" + Zeros(headerLength - 0x28) + "DE AD BE EF");
        Assert.Equal(family, record.HeaderType);
        Assert.Equal(is64Bit, record.Is64Bit);
        Assert.Equal(0x21, record.Opcode);
        Assert.Equal(5, record.Level);
        Assert.Equal(3, record.Version);
        Assert.Equal(0, record.Id);
        Assert.Equal(0x0102_0304u, record.ThreadId);
        Assert.Equal(0x0506_0708u, record.ProcessId);
        Assert.Equal(Time, record.Ticks);
        Assert.Equal(Provider, record.Provider);
        Assert.True(record.IsClassic);
        Assert.Equal([0xDE, 0xAD, 0xBE, 0xEF], record.Payload.ToArray());
    }

    [Theory]
    [InlineData("01", false, EtlHeaderType.System, "22", "00 00 00 00 00 00 00 00")]
    [InlineData("02", true, EtlHeaderType.System, "22", "00 00 00 00 00 00 00 00")]
    [InlineData("03", false, EtlHeaderType.Compact, "1A", "")]
    [InlineData("04", true, EtlHeaderType.Compact, "1A", "")]
    public void TryParse_KernelRecord_ReadsGroupThreadAndProcess(string type, bool is64Bit, EtlHeaderType family, string size, string times)
    {
        EtlRecord record = Parse($"02 00 {type} C0  {size} 00 0A 06  04 03 02 01  08 07 06 05  {TimeBytes}  {times}  12 34");
        Assert.Equal(family, record.HeaderType);
        Assert.Equal(is64Bit, record.Is64Bit);
        Assert.Equal(2, record.Version);
        Assert.Equal(10, record.Opcode);
        Assert.Equal(6, record.Group);
        Assert.Equal(new Guid("9a280ac0-c8e0-11d1-84e2-00c04fb998a2"), record.Provider);
        Assert.Equal(0x0102_0304u, record.ThreadId);
        Assert.Equal(0x0506_0708u, record.ProcessId);
        Assert.Equal(Time, record.Ticks);
        Assert.Equal([0x12, 0x34], record.Payload.ToArray());
    }

    [Theory]
    [InlineData("02 00", 0)]
    [InlineData("02 80", 8)] // PEBS index
    [InlineData("02 82", 24)] // PEBS index and two counters
    [InlineData("02 01", 8)] // one counter
    public void TryParse_PerfInfo_StepsOverCounters(string version, int extension)
    {
        EtlRecord record = Parse($"{version} 11 C0  {0x12 + extension:X2} 00 2E 0F  {TimeBytes}" + Zeros(extension) + "12 34");
        Assert.Equal(EtlHeaderType.PerfInfo, record.HeaderType);
        Assert.True(record.Is64Bit);
        Assert.Equal(2, record.Version);
        Assert.Equal(46, record.Opcode);
        Assert.Equal(15, record.Group);
        Assert.Equal(uint.MaxValue, record.ThreadId);
        Assert.Equal(uint.MaxValue, record.ProcessId);
        Assert.Equal(Time, record.Ticks);
        Assert.Equal([0x12, 0x34], record.Payload.ToArray());
    }

    [Fact]
    public void Provider_ImageLoadOfTheProcessGroup_IsTheImageClass()
    {
        EtlRecord record = Parse($"02 00 11 C0  10 00 0A 03  {TimeBytes}");
        Assert.Equal(new Guid("2cb15d1d-5fc1-11d2-abe1-00a0c911f518"), record.Provider);
    }

    [Fact]
    public void TryParse_MessageWithAllFields_ReadsThem()
    {
        // Flags 0xAB: sequence, GUID, time, thread and process, 64-bit. 8 + 4 + 16 + 8 + 8 + 1 = 45 = 0x2D.
        EtlRecord record = Parse($"2D 00 00 90  07 00 AB 00  01 00 00 00  {ProviderBytes}  {TimeBytes}  04 03 02 01  08 07 06 05  99");
        Assert.Equal(EtlHeaderType.Message, record.HeaderType);
        Assert.True(record.Is64Bit);
        Assert.Equal(7, record.Id);
        Assert.Equal(Provider, record.Provider);
        Assert.Equal(Time, record.Ticks);
        Assert.Equal(0x0102_0304u, record.ThreadId);
        Assert.Equal(0x0506_0708u, record.ProcessId);
        Assert.Equal([0x99], record.Payload.ToArray());
    }

    [Fact]
    public void TryParse_MessageWithComponentIdOnly_HasNoGuidAndNoTime()
    {
        EtlRecord record = Parse("0D 00 00 90  07 00 44 00  01 00 00 00  99", ticks: 42);
        Assert.Equal(Guid.Empty, record.Provider);
        Assert.False(record.Is64Bit);
        Assert.Equal(42, record.Ticks);
        Assert.Equal(uint.MaxValue, record.ThreadId);
        Assert.Equal([0x99], record.Payload.ToArray());
    }

    [Theory]
    [InlineData("0C 00 0D C0", EtlHeaderType.Error)]
    [InlineData("0C 00 1E C0", EtlHeaderType.Unknown)]
    [InlineData("0C 00 FF C0", EtlHeaderType.Unknown)]
    [InlineData("0C 00 00 B0", EtlHeaderType.Unknown)]
    public void TryParse_OpaqueRecord_IsPassedOn(string marker, EtlHeaderType family)
    {
        EtlRecord record = Parse($"{marker}  01 02 03 04 05 06 07 08", ticks: 42);
        Assert.Equal(family, record.HeaderType);
        Assert.Equal(42, record.Ticks);
        Assert.Equal(12, record.Bytes.Length);
        Assert.Equal(8, record.Payload.Length);
    }

    [Theory]
    [InlineData("00 00 00 00 00 00 00 00")]
    [InlineData("FF FF FF FF FF FF FF FF")]
    [InlineData("53 00 13 C0 00 00 00 00")] // longer than what is there
    [InlineData("08 00 13 C0 00 00 00 00")] // shorter than its header
    [InlineData("08 00 00 10 00 00 00 00")] // bit 31 clear
    [InlineData("10 00 13")]
    public void TryParse_NoWholeRecord_IsFalse(string bytes)
    {
        var record = default(EtlRecord);
        Assert.False(EtlRecord.TryParse(Hex(bytes), ref record));
    }

    static string Zeros(int count) => string.Concat(Enumerable.Repeat("00", count));

    static byte[] Hex(string text) => Convert.FromHexString(text.Replace(" ", string.Empty, StringComparison.Ordinal));

    static EtlRecord Parse(string hex, long ticks = 0)
    {
        var record = default(EtlRecord);
        record.Ticks = ticks;
        Assert.True(EtlRecord.TryParse(Hex(hex), ref record));
        return record;
    }
}

public sealed class EtlClockTests
{
    // FILETIME of 1970-01-01.
    const long Epoch = 116_444_736_000_000_000;

    [Theory]
    [InlineData(10_000_000, 1_000, 3_000, 200_000)] // 2000 ticks of 100 ns
    [InlineData(10_000_000, 3_000, 1_000, -200_000)]
    [InlineData(3_000_000_000, 0, 3_000_000_001, 1_000_000_000)] // a third of a nanosecond is cut off
    [InlineData(1, 0, 5, 5_000_000_000)]
    [InlineData(10_000_000, 0, long.MaxValue, long.MaxValue)] // 29,000 years
    [InlineData(10_000_000, 0, long.MinValue, long.MinValue)]
    [InlineData(10_000_000, long.MinValue, long.MaxValue, long.MaxValue)] // the difference itself has 65 bits
    [InlineData(10_000_000, long.MaxValue, long.MinValue, long.MinValue)]
    [InlineData(1, 0, long.MaxValue, long.MaxValue)]
    [InlineData(10_000_000, 0, 92_233_720_368_547_758, 9_223_372_036_854_775_800)] // the last tick that fits
    [InlineData(10_000_000, 0, 92_233_720_368_547_759, long.MaxValue)]
    public void ToTime_Counter_IsExactOrAtTheEnd(long frequency, long startTicks, long ticks, long expected) =>
        Assert.Equal(expected, new EtlClock(EtlClockType.Qpc, startTicks, Epoch, frequency).ToTime(ticks).Nanoseconds);

    [Fact]
    public void ToTime_NoStart_CountsFrom1970() => Assert.Equal(200, new EtlClock(EtlClockType.Qpc, 5, 0, 10_000_000).ToTime(7).Nanoseconds);

    [Theory]
    [InlineData(Epoch + 7, 700)]
    [InlineData(long.MaxValue, long.MaxValue)]
    [InlineData(0, long.MinValue)] // 1601 is before what nanoseconds can tell
    [InlineData(long.MinValue, long.MinValue)]
    public void ToTime_SystemTime_IsExactOrAtTheEnd(long ticks, long expected)
    {
        TraceTime time = new EtlClock(EtlClockType.SystemTime, 0, Epoch, 1).ToTime(ticks);
        Assert.Equal(expected, time.Nanoseconds);
        Assert.Equal(expected is long.MaxValue or long.MinValue, time.IsBeyond);
    }
}
