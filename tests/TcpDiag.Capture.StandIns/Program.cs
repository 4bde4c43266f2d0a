using System;
using System.Globalization;
using System.Text;

namespace TcpDiag.Capture.StandIns;

/// <summary>
/// One program, two roles, so that recordings on Windows are tested as real processes on any system:
/// <code>
/// standins record STATE ROOT OUTPUT [OPTION…]       the recorder, on a machine whose programs are stand-ins
/// standins recover STATE ROOT                       what the next start does
/// standins rights FILE                              gives a file the rights of its folder; Windows
/// standins program STATE PARENT netsh trace start … a stand-in for a program of Windows
/// standins change MACHINE FOLDER MOMENT             changes settings of a network namespace, or on Windows of STATE, and is killed at that moment
/// standins undo MACHINE FOLDER MOMENT               what the next start does about it, killed likewise
/// </code>
/// STATE is a folder that holds the script of the stand-ins and, as files, what would be in the kernel.
/// </summary>
static class Program
{
    static int Main(string[] args)
    {
        // What a recorder says is compared between systems; Windows would write it in the code page of a console.
        if (args is not ["program", ..])
        {
            Console.OutputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
        }

        return Run(args);
    }

    static int Run(string[] args) => args switch
    {
        ["record", var state, var root, var output, .. var options] => Recorder.Record(new(state), root, output, options),
        ["recover", var state, var root] => Recorder.Recover(new(state), root),
        ["rights", var file] when OperatingSystem.IsWindows() => PrivateFile.Inherit(file),
        ["program", var state, var parent, var program, .. var arguments] =>
            new StandInProgram(new(state), int.Parse(parent, CultureInfo.InvariantCulture)).Run(program, arguments),
        ["change" or "undo", var machine, var folder, var moment] =>
            SettingsUntilKilled.Run(isUndo: args[0] is "undo", machine, folder, int.Parse(moment, CultureInfo.InvariantCulture)),
        _ => throw new ArgumentException(string.Join(' ', args), nameof(args)),
    };
}
