using System;

namespace TcpDiag.Traces.Redaction;

/// <summary>Words that say nothing about anybody, and without which a redacted trace says less: they stay in texts.</summary>
static class KnownWords
{
    // Systems and their builds (readers go by them), TCP's own words, states, units, and the endings of programs.
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
        "net ipv4 window congestion control recovery early retrans frto timestamps scaling rmem wmem moderate rcvbuf adv win scale slow after idle reordering max mtu probing notsent lowat metrics save output min wlen " +
        "rx tx tso gso gro lro ethernet loopback wifi vlan tunnel bridge device driver interface adapter tsc hpet via metric scope link gateway mtu speed duplex").Split(' '));

    /// <summary>Whether a word stays.</summary>
    /// <param name="word">The word, in any case.</param>
    /// <returns>True for the words of the list.</returns>
    public static bool Contains(ReadOnlySpan<char> word) => All.Contains(word);
}
