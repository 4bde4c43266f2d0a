using System;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;

namespace TcpDiag.Shim.Divert;

/// <summary>WinDivert.dll, loaded once in a process, from the folder whose files were checked and from nowhere else.</summary>
[SupportedOSPlatform("windows")]
static class DivertLibrary
{
    static readonly Lock Loading = new();
    static nint _module;

    /// <summary>Loads the library, if that has not been done.</summary>
    /// <param name="files">The checked files.</param>
    /// <exception cref="ShimException">Windows does not load it.</exception>
    public static void Load(DivertFiles files)
    {
        lock (Loading)
        {
            if (_module != 0)
            {
                return;
            }

            try
            {
                _module = NativeLibrary.Load(files.LibraryPath);
            }
            catch (Exception exception) when (exception is DllNotFoundException or BadImageFormatException)
            {
                throw new ShimException($"load {files.LibraryPath}: {exception.Message} A security program may have refused it; tcpdiag must be the x64 one.");
            }

            NativeLibrary.SetDllImportResolver(typeof(DivertLibrary).Assembly, Resolve);
        }
    }

    // 0 leaves the other libraries to the runtime.
    static nint Resolve(string name, Assembly assembly, DllImportSearchPath? path) => string.Equals(name, DivertNative.Library, StringComparison.Ordinal) ? _module : 0;
}
