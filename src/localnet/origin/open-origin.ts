import { existsSync } from 'node:fs';
import { SettingError } from '../../platform/config/setting.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { EngineOrigin } from '../engine/engine-options.ts';
import { OriginAccounts } from './origin-accounts.ts';
import { OriginConflictError, OriginError } from './origin-error.ts';
import { OriginFiles, type OriginRecord } from './origin-files.ts';
import type { OriginOptions } from './origin-servers.ts';

/** Longest search for the block: its signatures may need proofs of many key blocks. */
const START_MS = 120_000;

/** The origin of a chain, for its engine and for those who fetch accounts. */
export interface OpenOrigin {
  readonly engine: EngineOrigin;
  readonly seqno: number;
  readonly accounts: OriginAccounts;
}

/**
 * Opens the network that a chain is forked from; null if the chain has none. `isNew`: the chain has no genesis yet. Only a new
 * chain asks the network: its block and configuration are stored.
 * @throws SettingError, OriginError, OriginConflictError
 */
export async function openOrigin(
  options: OriginOptions,
  { isNew, log }: { readonly isNew: boolean; readonly log: Log | null },
): Promise<OpenOrigin | null> {
  const { directory, isGiven, at } = options;
  if (!isGiven && !existsSync(directory)) return null;
  const files = new OriginFiles(directory);
  const known = files.readRecord();
  if (!known && !isGiven) return null;
  if (!known && !isNew) throw new OriginConflictError('no lite server', `--fork liteserver`);
  if (known) checkBlock(known, at);
  const config = await options.readConfig(known?.config ?? null);
  if (config === null) throw missing('--global-config', 'the file that names the lite servers of the fork');
  const servers = options.open(config);
  try {
    const record = known ? { ...known, config } : await begin(servers, at, config);
    if (record.config !== known?.config) await files.writeRecord(record);
    const { block, params } = record;
    return {
      engine: { rootHash: block.rootHash, config: params },
      seqno: block.seqno,
      accounts: new OriginAccounts({ files, servers, block, log }),
    };
  } catch (error) {
    await servers.close();
    throw error;
  }
}

type Servers = ReturnType<OriginOptions['open']>;

async function begin(servers: Servers, at: string | null, config: string): Promise<OriginRecord> {
  if (at === null) throw missing('--at', 'the masterchain seqno that --fork liteserver begins with');
  const signal = AbortSignal.timeout(START_MS);
  try {
    const block = await servers.block(at, signal);
    return { block, params: await servers.config(block, signal), config };
  } catch (cause) {
    const problem = signal.aborted ? `no lite server answered within ${START_MS / 1_000} s` : `${cause}`;
    throw new OriginError(`masterchain block ${at}`, problem, { cause });
  }
}

/** @throws OriginConflictError */
function checkBlock({ block }: OriginRecord, at: string | null): void {
  const [seqno, rootHash] = at?.split(':') ?? [];
  const isOther =
    (seqno !== undefined && Number(seqno) !== block.seqno) ||
    (rootHash !== undefined && rootHash.toLowerCase() !== block.rootHash.toHex());
  if (isOther)
    throw new OriginConflictError(`masterchain block ${block.seqno} of a lite server`, `--at ${at}`);
}

function missing(setting: string, allowed: string): SettingError {
  return new SettingError(setting, { found: '', allowed, origin: 'the command line' });
}
