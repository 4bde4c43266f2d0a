namespace TcpDiag.Traces.Schemas;

/// <summary>One layout of one event, and the builds that have it.</summary>
public sealed class EventVariant
{
    readonly SchemaResource _resource;
    readonly VariantRecord _record;
    EventSchema? _schema;

    internal EventVariant(ProviderCatalog provider, SchemaResource resource, VariantRecord record)
    {
        Provider = provider;
        _resource = resource;
        _record = record;
    }

    /// <summary>The provider.</summary>
    public ProviderCatalog Provider { get; }

    /// <summary>Event id.</summary>
    public int Id => _record.Id;

    /// <summary>Version.</summary>
    public int Version => _record.Version;

    /// <summary>The schema, read at the first call.</summary>
    public EventSchema Schema => _schema ??= _resource.ReadSchema(Provider, _record);

    /// <summary>The event's name.</summary>
    public string Name => _resource.StringAt(_record.Name);

    /// <summary>The builds that have it: bit i stands for <see cref="SchemaCatalog.Builds"/>[i].</summary>
    public uint BuildMask => _record.BuildMask;

    /// <summary>Whether a build has it.</summary>
    /// <param name="buildIndex">Index into <see cref="SchemaCatalog.Builds"/>.</param>
    /// <returns>True when it has.</returns>
    public bool IsIn(int buildIndex) => buildIndex >= 0 && (BuildMask & (1u << buildIndex)) != 0;
}
