import { join } from 'node:path';
import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../../../capture/block-id.ts';
import { fetchAccount, fetchLibraries } from '../../../capture/liteserver/fetch-account.ts';
import { fetchConfig } from '../../../capture/liteserver/fetch-config.ts';
import { parseGlobalConfig } from '../../../capture/liteserver/global-config.ts';
import { type LiveSource, openLiteServer } from '../../../capture/liteserver/liteserver-source.ts';
import { type LiveSettings, readGlobalConfig } from '../../../capture/liteserver/live-settings.ts';
import { parseTrustedBlock } from '../../../capture/liteserver/start-point.ts';
import { FORK_LITESERVER } from '../../../localnet/local-chain.ts';
import { ORIGIN } from '../../../localnet/origin/origin-files.ts';
import type { OriginBlock, OriginOptions, OriginServers } from '../../../localnet/origin/origin-servers.ts';
import type { SettingValues } from '../../../platform/config/settings.ts';
import { errorCode } from '../../../platform/files/list-files.ts';
import { ensurePrivateDirectory } from '../../../platform/files/private-directory.ts';
import type { Log } from '../../../platform/observability/log.ts';

type OriginSettings = Pick<LiveSettings, 'globalConfig' | 'trust' | 'trustedBlock'> &
  SettingValues<'fork' | 'at'>;

/** The lite servers that `--fork liteserver` names, as the origin of a local chain. `data`: the data directory. */
export function forkOrigin(
  settings: OriginSettings,
  { data, log }: { readonly data: string; readonly log: Log },
): OriginOptions {
  const { globalConfig, fork, at = null } = settings;
  const directory = join(data, ORIGIN);
  return {
    directory,
    isGiven: fork.includes(FORK_LITESERVER),
    at,
    readConfig: async (stored) =>
      globalConfig === undefined ? stored : readConfig(globalConfig, stored, log),
    open: (config) => openServers(config, settings, { directory, log }),
  };
}

/** @throws GlobalConfigError: the file cannot be read, or it is gone and nothing is stored */
async function readConfig(file: string, stored: string | null, log: Log): Promise<string> {
  try {
    return await readGlobalConfig(file);
  } catch (error) {
    const isGone = errorCode((error as Error).cause) === 'ENOENT';
    if (stored === null || !isGone) throw error;
    log.warn({ file }, 'the file of --global-config is gone: its content at the last start is used');
    return stored;
  }
}

function openServers(
  text: string,
  { trust, trustedBlock, globalConfig = '--global-config' }: OriginSettings,
  parts: { readonly directory: string; readonly log: Log },
): OriginServers {
  // The newest proven key block is stored there.
  ensurePrivateDirectory(parts.directory);
  const live = openLiteServer({
    ...parts,
    trust,
    from: { kind: 'now' },
    trustedBlock: trustedBlock === undefined ? null : parseTrustedBlock(trustedBlock),
    config: parseGlobalConfig(text, globalConfig),
  });
  const { pool } = live;
  return {
    block: (at, signal) => findBlock(live, at, signal),
    config: async (block, signal) => (await fetchConfig(pool, toId(block), signal)).boc,
    account: async (block, account, signal) =>
      (await fetchAccount(pool, account, toId(block), signal))?.boc ?? null,
    async libraries(hashes, signal) {
      const found = await fetchLibraries(pool, hashes, signal);
      return new Map(found.map(({ hash, boc }) => [hash, boc]));
    },
    close: () => live.close(),
  };
}

/** The block of `--at`: proven as the settings say, or trusted if its hashes are given. */
async function findBlock(live: LiveSource, at: string, signal: AbortSignal): Promise<OriginBlock> {
  if (at.includes(':')) return parseTrustedBlock(at, '--at');
  const found = await live.provenId(Number(at), signal);
  if (!found) throw new Error('no lite server has it');
  return found;
}

function toId({ seqno, rootHash, fileHash }: OriginBlock): BlockIdExt {
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash, fileHash };
}
