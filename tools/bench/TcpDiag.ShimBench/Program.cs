using System;
using System.Globalization;
using TcpDiag.ShimBench;

// What the emulated path and the recorder cost, and how true they are, in one run: rates and delays from a real log of a million packets, throughput beside
// a loop that only reads and writes, processor time beside plain forwarding by the kernel, a transfer with the recorder and without.
//
//   dotnet run -c Release --project tools/bench/TcpDiag.ShimBench [--seconds N] [--rounds N] [--page FILE]
//
// Needs root, ip and iperf3. Prints a Markdown page; the rest of the machine should be quiet, and figures taken beside other work are marked.
if (!OperatingSystem.IsLinux())
{
    Console.Error.WriteLine("This benchmark needs Linux.");
    return 1;
}

int seconds = 3;
int rounds = 5;
string? file = null;
for (int i = 0; i + 1 < args.Length; i += 2)
{
    switch (args[i])
    {
        case "--seconds":
            seconds = int.Parse(args[i + 1], CultureInfo.InvariantCulture);
            break;
        case "--rounds":
            rounds = int.Parse(args[i + 1], CultureInfo.InvariantCulture);
            break;
        case "--page":
            file = args[i + 1];
            break;
        default:
            Console.Error.WriteLine($"There is no option {args[i]}.");
            return 2;
    }
}

Page page = new();
double other = Machine.OtherWork();
page.Line("# The emulated path and the recorder");
page.Line();
page.Line($"{Environment.ProcessorCount} processors, {Environment.OSVersion}, {seconds} s a sample, {rounds} rounds. Other work on the machine when this "
    + $"began: {other:P0}.");
if (other > Machine.QuietShare)
{
    page.Line("**Not a quiet machine: the figures below are upper bounds of costs and errors.**");
}

new PathSections(page, seconds, rounds).Run();
new RecorderSection(page, seconds, rounds).Run();
page.Line();
page.Line($"Other work when this ended: {Machine.OtherWork():P0}.");
if (file is not null)
{
    page.Save(file);
}

return 0;
