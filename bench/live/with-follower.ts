import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TrustLevel } from '../../src/capture/liteserver/trust.ts';
import { note } from '../common/report.ts';
import { type ProductProcess, startProduct } from '../idle/product-process.ts';
import { type LiteProcess, startLiteServers } from './lite-process.ts';
import { type ChainPlan, generateChain } from './served-chain.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** After the first blocks are visible: what is compiled once is compiled, and the start's rows are merged. */
const WARM_UP_SECONDS = 15;

export interface ServedPlan extends ChainPlan {
  readonly rttMs: number;
  readonly servers: number;
  /** Folder of a generated chain, which is kept for the next run; null: a temporary one. */
  readonly chain: string | null;
}

export interface FollowerPlan extends ServedPlan {
  readonly trust: TrustLevel;
  /** Folder for CPU profiles of tonhouse's threads; null: none. */
  readonly cpuProf: string | null;
}

/** The product, and the lite servers that it follows. */
export interface Follower {
  readonly product: ProductProcess;
  readonly lite: LiteProcess;
}

/** Generates a chain, and serves it by lite servers in another process until `work` is done. */
export async function withLiteServers<Result>(
  plan: ServedPlan,
  work: (lite: LiteProcess, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  try {
    const packs = plan.chain ?? join(folder, 'packs');
    await generateChain(packs, plan);
    const lite = await startLiteServers({ packs, servers: plan.servers, rttMs: plan.rttMs });
    try {
      return await work(lite, folder);
    } finally {
      await lite.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The same, and `tonhouse up --source liteserver` with default settings follows them. `work` starts when the first blocks
 * are visible; the other ones are not offered yet.
 */
export function withFollower<Result>(
  plan: FollowerPlan,
  work: (follower: Follower) => Promise<Result>,
): Promise<Result> {
  return withLiteServers(plan, async (lite, folder) => {
    const [data, config] = [join(folder, 'data'), join(folder, 'global.config.json')];
    writeFileSync(config, lite.config);
    note('starting the follower');
    const source = [
      '--source',
      'liteserver',
      '--global-config',
      config,
      '--trust',
      plan.trust,
      '--from',
      '1',
    ];
    const rest = ['--network', 'bench', '--data', data, '--port', '0', '--log-format', 'json'];
    const nodeFlags = plan.cpuProf === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${plan.cpuProf}`];
    const product = await startProduct([MAIN, 'up', ...source, ...rest], data, { nodeFlags });
    try {
      await sleep(WARM_UP_SECONDS * 1_000);
      return await work({ product, lite });
    } finally {
      await product.stop();
    }
  });
}
