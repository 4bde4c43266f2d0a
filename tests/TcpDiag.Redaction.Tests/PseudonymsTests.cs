using System;
using System.Globalization;
using System.Linq;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace TcpDiag.Redaction.Tests;

public sealed class PseudonymsTests
{
    [Theory]
    [InlineData("10.0.0.1:443 x", "Address Separator Word Separator Word")]
    [InlineData("[fe80::1]:80", "Separator Address Separator Separator Word")]
    [InlineData("02:00:5e:10:00:01", "Mac")]
    [InlineData("02-00-5E-10-00-01,", "Mac Separator")]
    [InlineData("17:20:09", "Word Separator Word Separator Word")]
    [InlineData("1.2.3", "Word Separator Word Separator Word")]
    [InlineData("Müller_7", "Word Separator Word")]
    [InlineData("ip-10-20-30-40.ec2", "Word Separator Address Separator Word")]
    [InlineData("10_20_30_40", "Address")]
    [InlineData("2026-11-21", "Word Separator Word Separator Word")]
    [InlineData("8.b.d.0.1.0.0.2", "Address")]
    [InlineData("0050.5601.0203", "Address")]
    [InlineData("01:00:50:56:01:02:03", "Address")]
    [InlineData(
        "10.0.0.1:10.0.0.2:10.0.0.3:10.0.0.4:10.0.0.5:10.0.0.6",
        "Address Separator Address Separator Address Separator Address Separator Address Separator Address")]
    [InlineData("10.9.*;192.168.77.*", "Network Separator Network")]
    [InlineData("10.9.*.*", "Network")]
    [InlineData("fd12:3456::*,2001:db8:*", "Network Separator Network")]
    [InlineData("8.7.9.10.in-addr.arpa.", "Network Separator")]
    [InlineData("9.10.IN-ADDR.ARPA", "Network")]
    [InlineData("8.b.d.0.1.0.0.2.ip6.arpa", "Network")]
    [InlineData("1.300.*", "Word Separator Word Separator Separator")]
    [InlineData("cafe:*", "Word Separator Separator")]
    [InlineData("10.9.*x", "Word Separator Word Separator Separator Word")]
    [InlineData("10.9.;172.16.5. 6.8.x", "Network Separator Network Separator Word Separator Word Separator Word")]
    [InlineData("v192.0.2.1beta", "Word Address Word")]
    [InlineData("010.001.002.003", "Address")]
    [InlineData("v1.2.3", "Word Separator Word Separator Word")]
    [InlineData("S-1-5-21-1004336348-1177238915-682003330-512_Classes", "SecurityId Separator Word")]
    [InlineData("s-1-12-1-1-2-3-4", "SecurityId")]
    [InlineData("S-1-5-18", "Word Separator Word Separator Word Separator Word")]
    [InlineData("S-1-5-21-x", "Word Separator Word Separator Word Separator Word Separator Word")]
    [InlineData("{01234567-89AB-cdef-0123-456789abcdef}", "Separator Guid Separator")]
    [InlineData(
        @"USB\VID_0BDA&PID_8153\112233445566778 up",
        "Word Separator Word Separator Word Separator Word Separator Word Separator DeviceInstance Separator Word")]
    [InlineData("usb#vid_0bda&pid_8153#1#", "Word Separator Word Separator Word Separator Word Separator Word Separator DeviceInstance Separator")]
    public void Tokens_Text_IsCut(string text, string expected)
    {
        var kinds = new StringBuilder();
        foreach (TextToken token in new TextTokens(text))
        {
            kinds.Append(token.Kind).Append(' ');
        }

        Assert.Equal(expected, kinds.ToString().TrimEnd());
    }

    [Fact]
    public void ReplaceText_Path_KeepsItsFormAndItsKnownWords()
    {
        using var names = new Pseudonyms(TestKeys.First);
        string replaced = names.ReplaceText(@"D:\Homes\Bob\notes.exe");
        Assert.Matches(@"^[a-z]:\\[a-z2-7]{5}\\[a-z2-7]{3}\\[a-z2-7]{5}\.exe$", replaced);
        Assert.DoesNotContain("bob", replaced, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void ReplaceText_SettingsOfARecording_StayButNotWhatLooksLikeOne()
    {
        string[] settings =
        [
            "tcp_congestion_control", "tcp_recovery", "tcp_early_retrans", "tcp_frto", "tcp_sack", "tcp_dsack", "tcp_timestamps", "tcp_window_scaling",
            "tcp_ecn", "tcp_rmem", "tcp_wmem", "tcp_moderate_rcvbuf", "tcp_adv_win_scale", "tcp_slow_start_after_idle", "tcp_reordering",
            "tcp_max_reordering", "tcp_mtu_probing", "tcp_notsent_lowat", "tcp_no_metrics_save", "tcp_limit_output_bytes", "tcp_min_rtt_wlen",
        ];
        using var names = new Pseudonyms(TestKeys.First);
        Assert.All(settings, setting => Assert.Equal($"net.ipv4.{setting}=123456", names.ReplaceText($"net.ipv4.{setting}=123456", TextRule.Facts)));
        Assert.DoesNotContain("alice", names.ReplaceText("net.ipv4.conf.alice-nic.rp_filter=1 alice.laptop=up", TextRule.Facts), StringComparison.Ordinal);
    }

    [Fact]
    public void ReplaceText_SameNameElsewhere_IsTheSamePseudonym()
    {
        using var names = new Pseudonyms(TestKeys.First);
        using var later = new Pseudonyms(TestKeys.First);
        using var other = new Pseudonyms(TestKeys.Second);
        byte[] wide = Encoding.Unicode.GetBytes("NOTEBOOK7");
        byte[] label = "notebook7"u8.ToArray();
        names.ReplaceText16(wide);
        later.ReplaceLabel(label);
        Assert.Equal(names.ReplaceText("Notebook7"), Encoding.Unicode.GetString(wide));
        Assert.Equal(Encoding.Unicode.GetString(wide), Encoding.Latin1.GetString(label));
        Assert.NotEqual(names.ReplaceText("notebook7"), other.ReplaceText("notebook7"));
    }

    [Fact]
    public void ReplaceText_Address_BecomesItsPseudonym()
    {
        using var names = new Pseudonyms(TestKeys.First);
        string expected = $"from {names.Map(Address("198.51.100.7"))}:443";
        Assert.Equal(expected, names.ReplaceText("from 198.51.100.7:443"));
        Assert.Equal("127.0.0.1", names.ReplaceText("127.0.0.1"));
    }

    [Fact]
    public void ReplaceText16_Address_KeepsItsLengthAndLosesItsDigits()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] text = Encoding.Unicode.GetBytes("198.51.100.7");
        names.ReplaceText16(text);
        Assert.Matches(@"^\d{3}\.\d{2}\.\d{3}\.\d$", Encoding.Unicode.GetString(text));
        Assert.NotEqual("198.51.100.7", Encoding.Unicode.GetString(text));
    }

    [Fact]
    public void ReplaceText_AnyText_KeepsLengthsAndSeparatorsInPlace()
    {
        using var names = new Pseudonyms(TestKeys.First);
        Prop.ForAll(ArbMap.Default.ArbFor<NonNull<string>>(), text =>
        {
            byte[] bytes = Encoding.Unicode.GetBytes(text.Get);
            names.ReplaceText16(bytes);
            string replaced = Encoding.Unicode.GetString(bytes);
            Assert.Equal(text.Get.Length, replaced.Length);
            Assert.All(text.Get.Zip(replaced), pair => Assert.True(char.IsAsciiLetterOrDigit(pair.Second) || pair.First == pair.Second));
        }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void ReplaceSid_UserOfADomain_KeepsAuthorityAlone()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] user = [1, 5, 0, 0, 0, 0, 0, 5, 21, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xE9, 3, 0, 0];
        byte[] redacted = [.. user];
        names.ReplaceSid(redacted);
        Assert.Equal(user[..12], redacted[..12]);
        Assert.DoesNotContain(Convert.ToHexString(user[12..16]), Convert.ToHexString(redacted), StringComparison.Ordinal);
        byte[] system = [1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0];
        byte[] kept = [.. system];
        names.ReplaceSid(kept);
        Assert.Equal(system, kept);
    }

    [Fact]
    public void ReplaceSid_BytesAndText_GetTheSamePseudonym()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] user = [1, 5, 0, 0, 0, 0, 0, 5, 21, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xE9, 3, 0, 0];
        const string text = "S-1-5-21-67305985-134678021-202050057-1001";
        byte[] wide = Encoding.Unicode.GetBytes(text);
        byte[] narrow = Encoding.ASCII.GetBytes(text.ToLowerInvariant());
        string expected = names.ReplaceText(text, TextRule.Facts);
        names.ReplaceSid(user);
        names.ReplaceText16(wide);
        names.ReplaceText8(narrow);

        Assert.Matches(@"^S-1-5-21-\d{8}-\d{9}-\d{9}-\d{4}$", expected);
        Assert.All(text.Split('-')[4..], number => Assert.DoesNotContain(number, expected, StringComparison.Ordinal));
        Assert.Equal(expected, SecurityId.Read(user).ToString());
        Assert.Equal(expected, Encoding.Unicode.GetString(wide));
        Assert.Equal(expected[1..], Encoding.ASCII.GetString(narrow)[1..]);
        Assert.Equal(expected[..^4], names.ReplaceText(text.Replace("-1001", "-1102", StringComparison.Ordinal), TextRule.Sentence)[..^4]);
        Assert.Equal([text, text.Replace("-1001", "-1102", StringComparison.Ordinal)], names.Originals.SecurityIds.FirstSeen.Keys);
    }

    [Theory]
    [InlineData("S-1-5-18")]
    [InlineData("S-1-1-0")]
    [InlineData("S-1-5-32-544")]
    public void ReplaceText_WellKnownSecurityId_Stays(string text)
    {
        using var names = new Pseudonyms(TestKeys.First);
        Assert.Equal(text, names.ReplaceText(text));
    }

    // Numbers too long for their field, an authority of more than 32 bits, users of a cloud, services.
    [Theory]
    [InlineData("S-1-5-21-99999999999-1")]
    [InlineData("S-1-0x1234567890ab-21-7-8")]
    [InlineData("S-1-12-1-3044286837-1181225932-1234567890-4294967295")]
    [InlineData("S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464")]
    public void ReplaceText_OddSecurityId_KeepsItsLengthAndLosesItsNumbers(string text)
    {
        using var names = new Pseudonyms(TestKeys.First);
        string replaced = names.ReplaceText(text, TextRule.Facts);
        Assert.Equal(text.Length, replaced.Length);
        Assert.All(
            text.Split('-').Where(number => number.Length > 8 && number[1] != 'x'),
            number => Assert.DoesNotContain(number, replaced, StringComparison.Ordinal));
    }

    // "192.0.2.33", 15 characters with its blanks, each byte as two letters from 'A' on, and the service behind.
    [Fact]
    public void ReplaceLabel_NetBiosNameThatIsAnAddress_IsTheAddressThatStandsForIt()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] label = Encode("192.0.2.33");
        names.ReplaceLabel(label);
        Assert.Equal(Encode(names.Map(Address("192.0.2.33")).ToString()), label);

        static byte[] Encode(string name) =>
            [.. name.PadRight(15).Append('\0').SelectMany(unit => (byte[])[(byte)('A' + (unit >> 4)), (byte)('A' + (unit & 15))])];
    }

    [Theory]
    [InlineData("198.51.*", "198.51.100.7", 16, TextRule.Facts)]
    [InlineData("198.51.100.*", "198.51.100.7", 24, TextRule.Sentence)]
    [InlineData("198.51.100.", "198.51.100.7", 24, TextRule.Networks)]
    [InlineData("198.51", "198.51.100.7", 16, TextRule.Networks)]
    [InlineData("2001:db8:12:*", "2001:db8:12::7", 48, TextRule.Facts)]
    [InlineData("198.51.0.0/16", "198.51.100.7", 16, TextRule.Facts)]
    [InlineData("2001:db8:12::/48", "2001:db8:12::7", 48, TextRule.Names)]
    [InlineData("51.198.in-addr.arpa", "198.51.100.7", 16, TextRule.Facts)]
    [InlineData("7.100.51.198.in-addr.arpa", "198.51.100.7", 32, TextRule.Ordinary)]
    [InlineData("2.1.0.0.8.b.d.0.1.0.0.2.ip6.arpa", "2001:db8:12::7", 48, TextRule.Facts)]
    public void ReplaceText_Network_IsThatOfItsAddresses(string text, string member, int bits, object rule)
    {
        using var names = new Pseudonyms(TestKeys.First);
        string replaced = names.ReplaceText(text, (TextRule)rule);

        // Read as a list of networks, which knows every form.
        AddressPrefix network = Network(replaced);
        Assert.Equal(AddressPrefix.Of(names.Map(Address(member)), bits), network);
        Assert.NotEqual(AddressPrefix.Of(Address(member), bits), network);
    }

    [Theory]
    [InlineData("10.*")]
    [InlineData("192.168.*")]
    [InlineData("10.0.0.0/8")]
    [InlineData("0.0.0.0/0")]
    [InlineData("255.255.240.0")]
    [InlineData("255.255.255.255")]
    public void ReplaceText_NetworkOfEverybody_Stays(string text)
    {
        using var names = new Pseudonyms(TestKeys.First);
        Assert.Equal(text, names.ReplaceText(text, TextRule.Facts));
        Assert.Empty(names.Originals.List());
    }

    [Fact]
    public void ReplaceText16_Network_KeepsItsLengthAndLosesItsDigits()
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] text = Encoding.Unicode.GetBytes("198.51.* 7.100.51.198.in-addr.arpa");
        names.ReplaceText16(text);
        Assert.Matches(@"^\d{3}\.\d{2}\.\* \d\.\d{3}\.\d{2}\.\d{3}\.in-addr\.arpa$", Encoding.Unicode.GetString(text));
        Assert.DoesNotMatch(@"198\.51|51\.198", Encoding.Unicode.GetString(text));
    }

    [Fact]
    public void ReplaceText_Guid_IsThatOfItsBytes()
    {
        using var names = new Pseudonyms(TestKeys.First);
        var guid = new Guid("11111111-2222-3333-4444-555566667777");
        byte[] bytes = guid.ToByteArray();
        names.ReplaceGuid(bytes);
        Assert.Equal($"{{{new Guid(bytes)}}}", names.ReplaceText($"{{{guid}}}", TextRule.Facts));
        Assert.Equal(Guid.Empty.ToString(), names.ReplaceText(Guid.Empty.ToString(), TextRule.Facts));
    }

    [Theory]
    [InlineData(@"USB\VID_0BDA&PID_8153\112233445566778", TextRule.Facts, "112233445566778")]
    [InlineData(@"\\?\usb#vid_0bda&pid_8153#4711#{guid}", TextRule.Ordinary, "4711")]
    [InlineData(@"ROOT\NET\0000", TextRule.DevicePath, "0000")]
    public void ReplaceText_DeviceInstance_Goes(string text, object rule, string instance)
    {
        using var names = new Pseudonyms(TestKeys.First);
        Assert.DoesNotContain(instance, names.ReplaceText(text, (TextRule)rule), StringComparison.Ordinal);
        Assert.True(names.Originals.IsLeak(instance));

        // What names a device there counts nothing elsewhere.
        Assert.Equal(instance.Length <= 5, names.ReplaceText(instance, TextRule.Facts).Equals(instance, StringComparison.Ordinal));
    }

    // Counters stay in values of settings; what is longer than one can be, or is met as an address, counts nothing.
    [Theory]
    [InlineData("tcp_rmem=4096 131072 33554432", TextRule.Settings, true)]
    [InlineData("call 4930901820", TextRule.Settings, false)]
    [InlineData("18446744073709551615", TextRule.Facts, true)]
    [InlineData("11112222333344445555666677778888", TextRule.Facts, false)]
    [InlineData("021122334455", TextRule.Facts, false)]
    [InlineData("10111213", TextRule.Names, false)]
    public void ReplaceText_LongNumber_StaysWhereItCounts(string text, object rule, bool isKept)
    {
        using var names = new Pseudonyms(TestKeys.First);
        names.ReplaceMac([0x02, 0x11, 0x22, 0x33, 0x44, 0x55]);
        names.Map(Address("16.17.18.19"));
        Assert.Equal(isKept, text.Equals(names.ReplaceText(text, (TextRule)rule), StringComparison.Ordinal));
    }

    [Fact]
    public void ReplaceMac_Groups_StayButForThoseOfAnAddress()
    {
        using var names = new Pseudonyms(TestKeys.First);
        Assert.Equal("01005e0000fb", Mac(names, "01005e0000fb"));
        Assert.Equal("01005e7ffffa", Mac(names, "01005e7ffffa"));
        Assert.Matches("^01005e[0-7](?!a0001)", Mac(names, "01005e0a0001"));
        Assert.Equal("ffffffffffff", Mac(names, "ffffffffffff"));
        string solicited = Mac(names, "3333ff9abcde");
        Assert.Equal(names.Map(Address("ff02::1:ff9a:bcde")).ToString()[^7..].Replace(":", string.Empty, StringComparison.Ordinal), solicited[^6..]);
        string host = Mac(names, "0050569abcde");
        Assert.Equal(2, Convert.FromHexString(host)[0] & 3); // locally administered, no group
    }

    [Theory]
    [InlineData("03bf0a141e28", "02bf0a141e28")] // a cluster's group, made of its IPv4 address
    [InlineData("015056010203", "005056010203")] // a transmitter that signals its bandwidth (IEEE 802.11-2020 §9.3.1.2)
    public void ReplaceMac_GroupOfOneStation_FollowsTheStation(string group, string station)
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] expected = Convert.FromHexString(Mac(names, station));
        expected[0] |= 1;
        Assert.Equal(Convert.ToHexStringLower(expected), Mac(names, group));
    }

    [Theory]
    [InlineData("10-20-30-40")]
    [InlineData("8.7.9.0.1.0.0.2.4.3.2.1")]
    [InlineData("0050.5601.0203")]
    [InlineData("01:00:50:56:01:02:03")]
    public void ReplaceText_AddressInAnUnusualForm_LosesItsDigits(string address)
    {
        using var names = new Pseudonyms(TestKeys.First);
        Assert.DoesNotContain(address, names.ReplaceText($"host {address} up"), StringComparison.Ordinal);
        Assert.Equal(0, names.Originals.Distinct(RedactionKind.Ipv6Addresses));
    }

    // Under this key, the first found, 198.51.0.0/16 becomes itself: a verification, whose key is random, has to know that it met the network nevertheless.
    [Fact]
    public void ReplaceText_NetworkThatBecomesItself_IsMet()
    {
        Assert.True(RedactionKey.TryParse("1d".PadLeft(64, '0'), out RedactionKey? key));
        using var names = new Pseudonyms(key!);

        Assert.Equal("198.51.*", names.ReplaceText("198.51.*"));
        Assert.Equal(["198.51.0.0/16"], names.Originals.List().Select(value => value.Value));
    }

    // RFC 1918: the blocks themselves are public knowledge, their subnets are not.
    [Theory]
    [InlineData("10.*", 0)]
    [InlineData("10.1.*", 1)]
    [InlineData("192.168.*", 0)]
    [InlineData("192.168.1.*", 1)]
    public void ReplaceText_PrivateNetwork_IsMetWhereItIsASubnet(string network, int met)
    {
        using var names = new Pseudonyms(TestKeys.First);
        names.ReplaceText(network);
        Assert.Equal(met, names.Originals.List().Count());
    }

    [Theory]
    [InlineData('1', false)]
    [InlineData('x', true)]
    public void ReplaceText_LongRunWithoutEnd_IsReplacedPieceByPiece(char character, bool isFact)
    {
        using var names = new Pseudonyms(TestKeys.First);

        // A scan of the rest at each of a million words would take minutes.
        string text = new StringBuilder(1 << 21).Insert(0, $"{character}.", 1 << 20).ToString();
        Assert.Equal(text.Length, names.ReplaceText(text, isFact ? TextRule.Facts : TextRule.Ordinary).Length);
    }

    static string Mac(Pseudonyms names, string hex)
    {
        byte[] mac = Convert.FromHexString(hex);
        names.ReplaceMac(mac);
        return Convert.ToHexStringLower(mac);
    }

    static AddressPrefix Network(string text)
    {
        string[] parts = text.Split('/');
        return parts.Length > 1 ? new AddressPrefix(Address(parts[0]), int.Parse(parts[1], CultureInfo.InvariantCulture))
            : PrefixText.TryRead(text, out AddressPrefix network) ? network : throw new FormatException(text);
    }

    static Wire.IpAddress Address(string text) => Wire.IpAddress.TryParse(text, out Wire.IpAddress address) ? address : throw new FormatException(text);
}
