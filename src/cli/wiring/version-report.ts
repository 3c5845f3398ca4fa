import { DECODE } from '../../../pipelines/decode.ts';
import type { LogIdentity } from '../../platform/bus/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { VersionState } from '../../platform/clickhouse/versions/version-records.ts';
import { BASE_CODE } from './base-code.ts';
import { servedVersion } from './projection.ts';
import { presentVersions } from './replay-switch.ts';
import type { Session } from './session.ts';

/** The store's versions of a projection against the code's. */
export interface ProjectionReport {
  readonly projection: string;
  readonly served_version: number;
  /** Version of the decoder that built what is served. */
  readonly served_code: number;
  /** Version of this checkout's decoder. */
  readonly code: number;
  /** What is served was built by another decoder than this. */
  readonly needs_replay: boolean;
  readonly versions: readonly {
    readonly version: number;
    readonly code: number;
    readonly state: VersionState;
  }[];
}

export async function projectionReport(
  client: StoreClient,
  identity: LogIdentity,
  code = BASE_CODE.version,
): Promise<ProjectionReport> {
  const served = await servedVersion(client, identity);
  const versions = await presentVersions(client, identity);
  const servedCode = versions.find(({ version }) => version === served)?.codeVersion ?? served;
  return {
    projection: DECODE.projection,
    served_version: served,
    served_code: servedCode,
    code,
    needs_replay: servedCode !== code,
    versions: versions.map(({ version, codeVersion, state }) => ({ version, code: codeVersion, state })),
  };
}

/** Says when what is served was built by another decoder, and what to do about it; reading goes on meanwhile. */
export async function sayWhatNeedsReplay(
  client: StoreClient,
  identity: LogIdentity,
  { log }: Pick<Session, 'log'>,
  code = BASE_CODE.version,
): Promise<void> {
  const { projection, served_version, served_code, needs_replay } = await projectionReport(
    client,
    identity,
    code,
  );
  if (!needs_replay) return;
  log.warn(
    { projection, version: served_version, builtBy: served_code, code },
    `what is served was built by another decoder: \`tonhouse replay ${projection}\` builds it anew, answers go on meanwhile`,
  );
}
