using System;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// The words of what this program itself writes for people into bundles: why a recording ended, remarks, problems of a snapshot, the commands of a recording. A test reads the
/// sources that write them.
/// </summary>
static class SentenceWords
{
    static readonly WordSet All = new((
        "0xffffffffffffffff a above access adapters add address addresses admin administrator administrators afd again alone already an anew another antivirus append are as asked asks attach " +
        "available back be been before began begin begins being belong belongs below beside between bind both bounds buffers buffersize bundle busy but called callouts came " +
        "can cannot cap capabilities captureinterface capturing changed choose circular class clocksource closed cmd code collect collected come command commands commit " +
        "comp component config connection connections controltracew convert copied copy correlation could counted counters cpu cpufreq ctrl current cut damaged denied devices devpkey " +
        "diag did disk dmi do does drivers drops duration during each earlier either elevated else empty enabletraceex2 end ending ends engine enter entering error ethtool " +
        "etl ets exist exists exit exited expect express facts failed fails failure family fastest fd fewer file filemode files filter filtered filtering filters finish " +
        "finished finishes finishing firewall firmwareversion first folder force found free ftrace give given gives goes going gone goodput governor gsudo had hand has have " +
        "header headers held here hold holds hosts hour hours icacls id if inet instance instead instructions interfaces into ioctl is it its itself join journal json keep keeps kept " +
        "kernel keywords killed known knows larger last later leave leaves left less let level list lists live log logfilename logman long look looked lose loses machine " +
        "machines made make makes map mask matchanykeyword matched matches maximumfilesize maxsize may meanwhile memory minimumbuffers minute minutes missing mode more most " +
        "moved much must name named nameresolution names namespace namespaces ndis nearly need needed needs neither netlink netns network never new newer next nics nobody nor " +
        "nothing now nsnap null number numbers old older once one online only onto open opened opens other others our ours overrun overwrite own owners packetcapture " +
        "packettruncatebytes page part pass passed passes path payload pcapng pct per perfmerge persistent person pkt platform policy ports powershell preparing probe proc " +
        "product program prompt protocol provider proxy pseudonyms put raise raw read readable reading real receive received record recorded recorder recording recordings records " +
        "recover redacted refused refuses remove removed removes report reset resolve result results retransmissions retransmit retransmitted rights ring room root routes " +
        "rule run runs said same sampled samples sampling says second seconds security seen self send sent sequential servers session set settings several short shorter " +
        "should show shown since single snapshot so sock socket sockets some somebody somewhere split stack stands started starts starttracew stat state stats status stays still " +
        "stopping stops string such sudo sure switch system systemd take taken takes tcpip tell than that the their them then there therefore these they this those though " +
        "through throughput times together told too tpacket tracefile tracefs tracepoint traffic tried tries trigger trusted try twice type under unless until upon use used " +
        "user uses using v3 value vendor very virtual wait waiting waits was watched way were what whatever when where whether which while whoever whole whom whose will winsock " +
        "with within without word work would write writes writing written wrong yet you zero →").Split(' '));

    /// <summary>Whether a word is one of a sentence.</summary>
    /// <param name="word">The word, in any case.</param>
    /// <returns>True when it is.</returns>
    public static bool Contains(ReadOnlySpan<char> word) => All.Contains(word);
}
