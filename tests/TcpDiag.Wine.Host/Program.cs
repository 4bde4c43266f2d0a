using System;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;
using TcpDiag.Capture.Windows;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;

[assembly: SupportedOSPlatform("windows")]

namespace TcpDiag.Wine.Host;

/// <summary>
/// What of the Windows shim can only be tried on Windows, as a program that Wine runs. It hosts the product's library and says itself which files of
/// WinDivert it may load: the product has no such switch.
/// <code>
/// winehost filters FOLDER SEED RULES PACKETS    compares our match with the driver's decision
/// winehost packets FOLDER SEED COUNT            compares how packets are read, and their checksums
/// winehost refusals FOLDER                      what goes wrong, in words
/// winehost rights                               judges security descriptors
/// winehost files FOLDER                         holds the files until standard input ends
/// winehost timer                                sets a timer
/// winehost elevate FILE FOLDER ARGUMENT…        starts itself with administrator's rights; prints its exit code
/// winehost arguments FILE ARGUMENT…             writes its folder and arguments, a line each
/// winehost cli STATE ROOT FOLDER ARGUMENT…      tcpdiag on a machine of stand-ins
/// winehost program STATE PARENT netsh …         a stand-in for a program of Windows
/// winehost shim FOLDER LOG open|closed MATCH OPTION…   runs the shim until standard input ends
/// </code>
/// </summary>
static class Program
{
    static int Main(string[] args)
    {
        try
        {
            return Run(args);
        }
        catch (ShimException refused)
        {
            Console.WriteLine($"refused: {refused.Message}");
            return 1;
        }
    }

    static int Run(string[] args)
    {
        switch (args)
        {
            case ["filters", var folder, var seed, var rules, var packets]:
                Load(folder);
                FilterComparison.Run(new Random(Number(seed)), Number(rules), Number(packets));
                break;
            case ["packets", var folder, var seed, var count]:
                Load(folder);
                PacketComparison.Run(new Random(Number(seed)), Number(count));
                break;
            case ["refusals", var folder]:
                Load(folder);
                Refusals.Run();
                break;
            case ["rights"]:
                RightsCases.Run();
                break;
            case ["files", var folder]:
                using (Open(folder))
                {
                    Console.WriteLine("held");
                    Console.In.ReadToEnd();
                }

                break;
            case ["timer"]:
                TimerCase.Run();
                break;
            case ["shim", var folder, var log, var gate, var match, .. var options]:
                ShimCase.Run(Open(folder), log, gate is "open", match, options);
                break;
            case ["elevate", var file, var place, .. var arguments]:
                Console.WriteLine(new ShellElevation().Run(Environment.ProcessPath!, ["arguments", file, .. arguments], place));
                break;
            case ["arguments", var file, .. var arguments]:
                File.WriteAllLines(file, [Environment.CurrentDirectory, .. arguments]);
                return 7;
            case ["cli", var state, var root, var folder, .. var arguments]:
                return CommandCase.Run(state, root, () => Open(folder), args[..4], arguments);
            case ["program", var state, var parent, var program, .. var arguments]:
                return CommandCase.StandIn(state, parent, program, arguments);
            default:
                throw new ArgumentException(string.Join(' ', args), nameof(args));
        }

        return 0;
    }

    static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    static void Load(string folder) => DivertLibrary.Load(Open(folder));

    // The files there are the ones that are meant, whatever they are.
    static DivertFiles Open(string folder) =>
        new(folder, new DivertPins(Hash(folder, DivertFiles.LibraryName), Hash(folder, DivertFiles.DriverName)), _ => null);

    static string Hash(string folder, string name)
    {
        using FileStream file = File.OpenRead(Path.Join(folder, name));
        return DivertFiles.Hash(file);
    }
}
