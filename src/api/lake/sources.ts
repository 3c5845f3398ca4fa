/** Databases that the views are made over. */
export interface LakeSources {
  /** Database of the network. */
  readonly network: string;
  /** Database of the views. */
  readonly lake: string;
  /** Databases of the served versions by projection; a projection that is not served is absent. */
  readonly databases: Readonly<Record<string, string>>;
}

/** Names of the views and dictionaries that the lake's views look facts up in: in the network's database. */
export function helperName({ network }: Pick<LakeSources, 'network'>, name: string): string {
  return `${network}.lake_${name}`;
}
