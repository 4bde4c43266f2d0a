using System;
using System.Globalization;

namespace TcpDiag.Simulator.Tests.Senders.Cases;

/// <summary>Acknowledgments that a case writes in one line.</summary>
static class AckSeries
{
    /// <summary><c>2-11 [every MS] [by N]</c>: cumulative acknowledgments one after the other.</summary>
    public static void Acks(ICaseSender sender, string[] words)
    {
        (int from, int to) = SegmentList.Range(words[0]);
        int by = (int)Option(words, "by", 1);
        double every = Option(words, "every", 0);
        double ms = sender.NowMs;
        for (int next = from; next <= to; next += by, ms += every)
        {
            sender.At(ms);
            sender.Ack(AckWords.Of(next));
        }
    }

    /// <summary><c>N every MS [by N]</c>: as often, all that is in flight is acknowledged.</summary>
    public static void Rounds(ICaseSender sender, string[] words)
    {
        int by = (int)Option(words, "by", 1);
        double every = Option(words, "every", 0);
        double ms = sender.NowMs;
        for (int round = 0; round < int.Parse(words[0], CultureInfo.InvariantCulture); round++, ms += every)
        {
            sender.At(ms);
            int next = (int)sender.SndUna;
            for (int end = (int)sender.SndNxt; next < end;)
            {
                next = Math.Min(next + by, end);
                sender.Ack(AckWords.Of(next));
            }
        }
    }

    /// <summary>The first segment is lost: everything outstanding behind it is SACKed.</summary>
    public static void Lose(ICaseSender sender)
    {
        AckWords ack = AckWords.Of(sender.SndUna);
        ack.Blocks.Add((sender.SndUna + 1, sender.SndNxt));
        sender.Ack(ack);
    }

    static double Option(string[] words, string name, double otherwise)
    {
        int index = Array.IndexOf(words, name);
        return index < 0 ? otherwise : double.Parse(words[index + 1], CultureInfo.InvariantCulture);
    }
}
