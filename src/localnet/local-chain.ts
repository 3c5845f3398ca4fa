import { join } from 'node:path';
import type { Source } from '../capture/source.ts';
import { SettingError } from '../platform/config/setting.ts';
import type { SettingsIn } from '../platform/config/settings.ts';
import { ConflictError } from '../platform/errors/error-kinds.ts';
import { takeDirectoryLock } from '../platform/files/directory-lock.ts';
import { ensurePrivateDirectory } from '../platform/files/private-directory.ts';
import type { Log } from '../platform/observability/log.ts';
import type { Shutdown } from '../platform/observability/shutdown.ts';
import { formatFriendly } from '../ton/address/address.ts';
import type { AccountAddress } from '../ton/store/store-address.ts';
import { startControlServer } from './control/control-server.ts';
import type { LocalnetControl } from './localnet-control.ts';
import type { LocalnetOptions, LocalnetSource } from './localnet-source.ts';

export type LocalnetSettings = SettingsIn<'genesis' | 'localnet'>;

/** The source that is a local chain, and the label of its network. */
export const LOCALNET = 'localnet';

/** Without work a block still comes this often, or as often as with it, milliseconds: clocks and tick-tock contracts go on. */
const IDLE_MS = 2_000;

/** Folder of a data directory's local chain: its state and its control address. */
export function localnetDirectory(directory: string): string {
  return join(directory, LOCALNET);
}

/** Another process makes blocks in the folder now. */
export class LocalnetInUseError extends ConflictError {
  readonly directory: string;

  constructor(directory: string) {
    super(`a local chain already runs in ${directory}: stop it, or name another --data`);
    this.directory = directory;
  }
}

/**
 * Locks the local chain of a data directory for this process until the session ends: its state files have one writer,
 * and `control.json` names it.
 * @throws LocalnetInUseError
 */
export function holdLocalnet(data: string, { shutdown }: { readonly shutdown: Shutdown }): void {
  const directory = localnetDirectory(data);
  ensurePrivateDirectory(directory);
  const lock = takeDirectoryLock(directory, 'chain.lock');
  if (!lock) throw new LocalnetInUseError(directory);
  shutdown.add('localnet lock', async () => lock.release());
}

/** How a local chain begins. */
export function genesisOptions(settings: SettingsIn<'genesis'>) {
  return {
    seed: settings.localnetSeed,
    shards: settings.localnetShards,
    signatures: settings.localnetSignatures,
  };
}

/** `--fork`: accounts come from lite servers when they are needed. */
export const FORK_LITESERVER = 'liteserver';

const SEQNO = /^\d{1,10}(:|$)/;

/** @throws SettingError `--fork` and `--at` cannot be used together, or with this source; null for none */
export function checkFork(source: string | null, { fork, at }: Pick<LocalnetSettings, 'fork' | 'at'>): void {
  const [path] = fork;
  if (path !== undefined && source !== LOCALNET)
    throw forkError('fork', path, 'nothing with a source that is no local chain');
  const isLate = fork.includes(FORK_LITESERVER);
  const other = fork.find((one) => one !== FORK_LITESERVER);
  if (isLate && other !== undefined) throw forkError('fork', other, 'nothing else with --fork liteserver');
  if (at !== undefined && !isLate) throw forkError('at', at, 'nothing without --fork liteserver');
  if (at !== undefined && !SEQNO.test(at))
    throw forkError('at', at, 'a masterchain seqno, or SEQNO:ROOT:FILE');
}

function forkError(name: 'fork' | 'at', found: string, allowed: string): SettingError {
  const origin = `the command line, TONHOUSE_${name.toUpperCase()} or the settings file`;
  return new SettingError(`--${name}`, { found, allowed, origin });
}

/** How a data directory's local chain runs. */
export function localnetOptions(directory: string, settings: LocalnetSettings): LocalnetOptions {
  return {
    directory: localnetDirectory(directory),
    ...genesisOptions(settings),
    pace: { blockMs: settings.fast ? 0 : settings.blockMs, idleMs: Math.max(IDLE_MS, settings.blockMs) },
    traffic: settings.traffic,
    fork: settings.fork.filter((path) => path !== FORK_LITESERVER),
  };
}

/** Control of a source's chain; null if the source is not a local chain. */
export function getControl(source: Source): LocalnetControl | null {
  return 'control' in source ? (source as LocalnetSource).control : null;
}

/** Accepts the commands of `tonhouse localnet` until the session ends, and logs the keys of the chain. */
export async function openLocalnetControl(
  control: LocalnetControl,
  directory: string,
  session: { readonly log: Log; readonly shutdown: Shutdown },
): Promise<void> {
  announceLocalnet(control, session.log);
  const close = await startControlServer(control, localnetDirectory(directory));
  session.shutdown.add('localnet control', close);
}

/** Logs the chain's keys: they are public, as the chain is private to the user. */
function announceLocalnet({ info }: LocalnetControl, log: Log): void {
  for (const { name, version, address, secretKey } of [info.faucet, ...info.wallets])
    log.info({ version, address: friendly(address, false), secret_key: secretKey }, `wallet ${name}`);
  for (const { name, address, secretKey } of info.contracts) {
    const key = secretKey === null ? {} : { secret_key: secretKey };
    log.info({ address: friendly(address, true), ...key }, `contract ${name}`);
  }
}

function friendly({ workchain, address }: AccountAddress, bounceable: boolean): string {
  return formatFriendly(workchain, address, { bounceable, testOnly: true });
}
