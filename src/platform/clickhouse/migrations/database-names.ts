import { DataError } from '../../errors/error-kinds.ts';
import { SECRETS_PREFIX } from '../secrets-prefix.ts';

/** A label that cannot be part of a database's name. */
export class LabelError extends DataError {
  readonly label: string;

  constructor(what: string, label: string, rule: RegExp) {
    super(`${what} ${JSON.stringify(label)} does not match ${rule}`);
    this.label = label;
  }
}

const NETWORK = /^(?!secrets_)[a-z0-9_]{1,40}$/;
/** No underscore, so that `network_projection_vN` reads one way only. */
const PROJECTION = /^[a-z][a-z0-9]{0,30}$/;

/** The database of a network: identity, applied migrations, pointers. Throws `LabelError`. */
export function metaDatabase(network: string): string {
  if (!NETWORK.test(network)) throw new LabelError('the network label', network, NETWORK);
  return network;
}

/** The database of a network's secrets, which the reader cannot read. Throws `LabelError`. */
export function secretsDatabase(network: string): string {
  return `${SECRETS_PREFIX}${metaDatabase(network)}`;
}

/** The database of one version of a projection, e.g. `mainnet_base_v7`. Throws `LabelError`. */
export function versionDatabase(network: string, projection: string, version: number): string {
  if (!PROJECTION.test(projection)) throw new LabelError('the projection', projection, PROJECTION);
  if (!Number.isSafeInteger(version) || version < 1) throw new RangeError(`not a version: ${version}`);
  return `${metaDatabase(network)}_${projection}_v${version}`;
}
