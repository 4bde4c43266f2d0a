using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.Bundles;

/// <summary>
/// Names in a snapshot by which an analysis judges the machine. A redaction leaves them as they are, whoever else bears such a
/// name: without them the machine would be judged differently.
/// </summary>
public static class JudgedSettings
{
    /// <summary>Section of the settings of Linux's TCP.</summary>
    public const string SysctlsSection = "sysctls";

    /// <summary>Section of Linux's interfaces.</summary>
    public const string InterfacesSection = "interfaces";

    /// <summary>Section of the templates of Windows' TCP.</summary>
    public const string TemplatesSection = "tcp-templates";

    /// <summary>Section of the registry settings of Windows' TCP.</summary>
    public const string TcpRegistrySection = "tcp-registry";

    /// <summary>Section of the registry settings of Windows' sockets.</summary>
    public const string AfdRegistrySection = "afd-registry";

    /// <summary>Section of what is bound to Windows' adapters; the subject is adapter and component.</summary>
    public const string BindingsSection = "bindings";

    /// <summary>Linux: whether a receive window may be larger than 64 KiB.</summary>
    public const string WindowScaling = "net.ipv4.tcp_window_scaling";

    /// <summary>Linux: whether SACK is offered.</summary>
    public const string Sack = "net.ipv4.tcp_sack";

    /// <summary>Linux: whether segments that came twice are reported to the sender.</summary>
    public const string Dsack = "net.ipv4.tcp_dsack";

    /// <summary>Linux: whether timestamps are offered.</summary>
    public const string Timestamps = "net.ipv4.tcp_timestamps";

    /// <summary>Linux: whether the receive buffer grows by itself.</summary>
    public const string ModerateRcvBuf = "net.ipv4.tcp_moderate_rcvbuf";

    /// <summary>Private flag of Intel's drivers: the adapter chooses queues by what is sent.</summary>
    public const string FlowDirectorAtr = "flow-director-atr";

    /// <summary>How the name of the counter ends that counts flushes of the Flow Director's table.</summary>
    public const string FlowDirectorFlushes = "fdir_flush_cnt";

    /// <summary>Windows: autotuning as a template has it.</summary>
    public const string AutoTuningLevelLocal = "AutoTuningLevelLocal";

    /// <summary>Windows, registry: whether SACK is offered.</summary>
    public const string SackOpts = "SackOpts";

    /// <summary>Windows, registry: the send buffer of every socket.</summary>
    public const string DefaultSendWindow = "DefaultSendWindow";

    /// <summary>Windows, registry: whether the send buffer stays as it is.</summary>
    public const string DynamicSendBufferDisable = "DynamicSendBufferDisable";

    /// <summary>Windows, registry: the receive window of every socket.</summary>
    public const string DefaultReceiveWindow = "DefaultReceiveWindow";

    /// <summary>Windows: whether a component is bound to an adapter.</summary>
    public const string Enabled = "Enabled";

    /// <summary>How components begin that are Windows' own protocols.</summary>
    public const string OwnBinding = "ms_";

    /// <summary>How components of Hyper-V's switch begin.</summary>
    public const string SwitchBinding = "vms_";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<string> All { get; } = Array.AsReadOnly<string>(
    [
        SysctlsSection, InterfacesSection, TemplatesSection, TcpRegistrySection, AfdRegistrySection, BindingsSection,
        WindowScaling, Sack, Dsack, Timestamps, ModerateRcvBuf, FlowDirectorAtr, FlowDirectorFlushes, AutoTuningLevelLocal,
        SackOpts, DefaultSendWindow, DynamicSendBufferDisable, DefaultReceiveWindow, Enabled, OwnBinding, SwitchBinding,
    ]);
}
