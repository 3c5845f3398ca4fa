/** Databases that the views are made over. */
export interface LakeSources {
  /** Database of the network. */
  readonly network: string;
  /** Database of the views. */
  readonly lake: string;
  /** Databases of the served versions by projection; a projection that is not served is absent. */
  readonly databases: Readonly<Record<string, string>>;
  /** The served version of `detections` does not say what a state replaced: it is of an earlier release. */
  readonly hasOlderDetections?: boolean;
}

/** What names a helper: a fact, and the projection that it is read from. */
export interface Helper {
  readonly name: string;
  readonly reads: string;
}

/**
 * Name of a view or dictionary that the lake's views look facts up in: in the network's database. It ends with the version of
 * its projection, so that a view looks facts up in the versions that its own rows come from, also while views are replaced.
 */
export function helperName({ network, databases }: LakeSources, { name, reads }: Helper): string {
  const [, version = ''] = /(_v\d+)$/.exec(databases[reads] ?? '') ?? [];
  return `${network}.${HELPER_PREFIX}${name}${version}`;
}

export const HELPER_PREFIX = 'lake_';
