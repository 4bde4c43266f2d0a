using System;
using System.Linq;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Traces.Redaction;
using Xunit;

namespace TcpDiag.Traces.Tests.Redaction;

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
    [InlineData("8.b.d.0.1.0.0.2.ip6.arpa", "Address Separator Word Separator Word")]
    [InlineData("0050.5601.0203", "Address")]
    [InlineData("01:00:50:56:01:02:03", "Address")]
    [InlineData("10.0.0.1:10.0.0.2:10.0.0.3:10.0.0.4:10.0.0.5:10.0.0.6", "Address Separator Address Separator Address Separator Address Separator Address Separator Address")]
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

    static Wire.IpAddress Address(string text) => Wire.IpAddress.TryParse(text, out Wire.IpAddress address) ? address : throw new FormatException(text);
}
