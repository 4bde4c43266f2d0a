using System;
using System.Collections.Frozen;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Redaction;

/// <summary>Decides which words and numbers of a text stay, by the rule for its position.</summary>
/// <param name="originals">What was replaced so far: a name among it stays nowhere.</param>
/// <param name="keepsNames">Whether names of settings may stay.</param>
sealed class KeptWords(OriginalValues originals, bool keepsNames)
{
    // Digits of a 64-bit counter.
    const int LongestCount = 20;

    // Three such numbers, as net.ipv4.tcp_rmem has.
    const int LongestValue = 64;

    static readonly WordSet JudgedWords = new(JudgedSettings.All.SelectMany(TextTokens.WordsOf));

    /// <summary>Whether the rule expects a name at the position of a token.</summary>
    public static bool IsName(string text, TextToken token, TextRule rule) => rule switch
    {
        TextRule.Names => true,
        TextRule.NameAtEnd => token.Start > text.LastIndexOf(' '),
        TextRule.NameAtStart => token.Start < (text + '(').IndexOf('('),
        _ => false,
    };

    public bool IsKept(string text, TextToken token, TextRule rule)
    {
        ReadOnlySpan<char> word = text.AsSpan(token.Start, token.Length);
        return (token.Kind, rule) switch
        {
            (TextTokenKind.Guid, _) => IsName(text, token, rule) && keepsNames && !originals.Guids.FirstSeen.ContainsKey(Guid.Parse(word)),
            (not TextTokenKind.Word, _) or (_, TextRule.Ordinary or TextRule.Networks) => false,
            (_, TextRule.Own) => true,
            (_, TextRule.Settings) => IsCount(word) && IsValue(text.AsSpan(0, token.Start)),
            _ when IsName(text, token, rule) => IsKeptName(word),
            (_, TextRule.Sentence) => IsCount(word) || IsOption(word) || SentenceWords.Contains(word),
            _ => IsCount(word),
        };
    }

    // -p in a command; one letter names nobody.
    static bool IsOption(ReadOnlySpan<char> word) => word is [>= 'a' and <= 'z'];

    // The text before it ends in an equals sign, or in one and other numbers.
    static bool IsValue(ReadOnlySpan<char> before) => before[Math.Max(0, before.Length - LongestValue)..].TrimEnd("0123456789 .") is [.., '='];

    // A number that is a serial number elsewhere is no count, nor is one that no counter can hold.
    bool IsCount(ReadOnlySpan<char> word) =>
        word.Length <= LongestCount && !word.ContainsAnyExceptInRange('0', '9') && (WordMap.IsKept(word) || !originals.Contains(word));

    bool IsKeptName(ReadOnlySpan<char> word) => JudgedWords.Contains(word) || (keepsNames && !originals.Contains(word));
}

/// <summary>Which words of a text stay, besides well-known ones and short numbers.</summary>
enum TextRule
{
    /// <summary>None.</summary>
    Ordinary,

    /// <summary>Numbers of any length: counters.</summary>
    Facts,

    /// <summary>Numbers of any length behind an equals sign: values of settings.</summary>
    Settings,

    /// <summary>
    /// Words that are not replaced elsewhere: names of system settings, which may contain that of an interface. Other texts must have been learnt before.
    /// </summary>
    Names,

    /// <summary>As <see cref="Names"/> after the last blank, as <see cref="Facts"/> before it: an adapter and its driver.</summary>
    NameAtEnd,

    /// <summary>As <see cref="Names"/> before the first parenthesis, as <see cref="Facts"/> from there on: a kernel release and who built it.</summary>
    NameAtStart,

    /// <summary>Numbers, and the words of this program's own sentences even if they are also somebody's name; but not the values filled in.</summary>
    Sentence,

    /// <summary>None; two or three numbers separated by dots are a network: a list of hosts and networks.</summary>
    Networks,

    /// <summary>As <see cref="Facts"/> before the last backslash, none after it: a device instance path.</summary>
    DevicePath,

    /// <summary>All: a name that this program itself gives.</summary>
    Own,
}

/// <summary>Words that identify nobody and that a redacted trace would be poorer without: they stay in every text.</summary>
static class KnownWords
{
    // Systems and their builds (readers depend on them), terms of TCP, states, units, file extensions of programs.
    static readonly WordSet All = new((
        "windows linux gnu darwin macos microsoft server build version release bit amd64 x64 x86 arm64 " +
        "exe dll sys gcc smp preempt dynamic vid ven subsys usb pci " +
        "tcp udp ip ipv4 ipv6 icmp dns arp quic tls addr arpa ip6 " +
        "cubic newreno reno bbr bbr2 dctcp ledbat ctcp hystart prr rack tlp sack dsack ecn accecn rto mss rtt srtt cwnd ssthresh pacing " +
        "fq codel pfifo fast noqueue mq sfq htb tbf netem noprefixroute " +
        "on off yes no true false enabled disabled default none unknown fixed auto up down full half normal restricted highlyrestricted experimental " +
        "and or not host net port src dst process pid tid match all any in out from to for by of at over " +
        "bytes byte packet packets pieces segment segments event events info snap length every ms us ns s kb mb gb kib mib gib bps kbps mbps gbps hz " +
        "loaded netsh pktmon etw trace start stop capture tcpdiag dropped drop lost limit time size reached stopped ended interrupted " +
        "net ipv4 window congestion control recovery early retrans frto timestamps scaling rmem wmem moderate rcvbuf adv win scale slow after idle " +
        "reordering max mtu probing notsent lowat metrics save output min wlen " +
        "rx tx tso gso gro lro ethernet loopback wifi vlan tunnel bridge device driver interface adapter tsc hpet via metric scope link gateway mtu " +
        "speed duplex").Split(' '));

    public static bool Contains(ReadOnlySpan<char> word) => All.Contains(word);
}

/// <summary>
/// The words of the sentences that this program writes into bundles: why a recording ended, remarks, problems of a snapshot, the commands of a recording.
/// A test compares the list with the sources that write them.
/// </summary>
static class SentenceWords
{
    static readonly WordSet All = new((
        "0xffffffffffffffff a above access adapters add address addresses admin administrator administrators afd again alone already an anew another " +
        "antivirus append are as asked asks attach available back be been before began begin begins being belong belongs below beside between bind " +
        "both bounds buffers buffersize bundle busy but called callouts came can cannot cap capabilities captureinterface capturing changed choose " +
        "circular class clocksource closed cmd code collect collected come command commands commit comp component config connection connections " +
        "controltracew convert copied copy correlation could counted counters cpu cpufreq ctrl current cut damaged denied devices devpkey diag did " +
        "disk dmi do does drivers drops duration during each earlier either elevated else empty enabletraceex2 end ending ends engine enter entering " +
        "error ethtool etl ets exist exists exit exited expect express facts failed fails failure family fastest fd fewer file filemode files filter " +
        "filtered filtering filters finish finished finishes finishing firewall firmwareversion first folder force found free ftrace give given gives " +
        "goes going gone goodput governor gsudo had hand has have header headers held here hold holds hosts hour hours icacls id if inet instance " +
        "install instead instructions interfaces into ioctl is it its itself join journal json keep keeps kept kernel keywords killed known knows larger last "
            + "" +
        "later leave leaves left less let level list listed lists live log logfilename logman long look looked lose loses machine machines made make makes " +
        "map marked mask matchanykeyword matched matches maximumfilesize maxsize may meanwhile memory minimumbuffers minute minutes missing mode more most " +
        "moved much must name named nameresolution names namespace namespaces ndis nearly need needed needs neither netlink netns network never new " +
        "newer next nics nobody nor nothing now nsnap null number numbers old older once one online only onto open opened opens other others our ours " +
        "overrun overwrite own owners packetcapture packettruncatebytes page part pass passed passes path payload pcapng pct per perfmerge persistent " +
        "person pkt platform policy ports powershell preparing probe proc product program prompt protocol provider proxy pseudonyms put raise raw read " +
        "readable reading real receive received record recorded recorder recording recordings records recover redacted refused refuses remove removed " +
        "removes report reset resolve result results retransmissions retransmit retransmitted rights ring room root routes rule run runs said same " +
        "sampled samples sampling say says second seconds security seen self send sent sequential servers session set settings several short shorter " +
        "should show shown since single snapshot so sock socket sockets some somebody somewhere split stack stands started starts starttracew stat " +
        "state stats status stays still stopping stops string such sudo sure switch system systemd take taken takes tcpip tell than that the their " +
        "them then there therefore these they this those though through throughput times together told too tpacket tracefile tracefs tracepoint " +
        "traffic tried tries trigger trusted try twice type under unless until upon use used user uses using v3 value vendor very virtual wait waiting " +
        "waits was watched way were what whatever when where whether which while whoever whole whom whose will winsock with within without word work " +
        "would write writes writing written wrong yet you zero →").Split(' '));

    public static bool Contains(ReadOnlySpan<char> word) => All.Contains(word);
}

/// <summary>Words looked up case-insensitively and without allocation.</summary>
sealed class WordSet
{
    readonly FrozenSet<string>.AlternateLookup<ReadOnlySpan<char>> _lookup;

    public WordSet(IEnumerable<string> words) => _lookup = words.ToFrozenSet(StringComparer.OrdinalIgnoreCase).GetAlternateLookup<ReadOnlySpan<char>>();

    public bool Contains(ReadOnlySpan<char> word) => _lookup.Contains(word);
}
