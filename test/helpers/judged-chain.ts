import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localMethods } from '../../src/cli/compose/local-methods.ts';
import { LiteChain } from '../../src/liteserver/chain/lite-chain.ts';
import type { LiteContext } from '../../src/liteserver/lite-context.ts';
import { type LocalnetSource, openLocalnetSource } from '../../src/localnet/localnet-source.ts';
import { TvmPool } from '../../src/tvm/pool/tvm-pool.ts';

/** A local chain that makes blocks on demand, as a lite server's chain. */
export interface JudgedChain {
  readonly context: LiteContext;
  readonly source: LocalnetSource;
  /** Makes masterchain steps. */
  mine(steps: number): Promise<void>;
  close(): Promise<void>;
}

/** Seed of the chain's wallets. */
export const JUDGED_SEED = 'judges';

/** Four shards, some traffic, and signatures of a form. */
export async function judgedChain(signatures: 'ordinary' | 'simplex'): Promise<JudgedChain> {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-judges-'));
  const source = await openLocalnetSource({
    directory,
    seed: JUDGED_SEED,
    shards: 4,
    signatures,
    traffic: 20,
    secondsPerBlock: 5,
    pace: { blockMs: 3_600_000, idleMs: 3_600_000 },
  });
  const chain = new LiteChain();
  const { states } = await source.describe();
  const stop = new AbortController();
  const following = (async () => {
    for await (const step of source.steps(null, stop.signal)) chain.take(step);
  })();
  const pool = new TvmPool({ threads: 1, timeoutMs: 3_000 });
  const { control } = source;
  const context: LiteContext = {
    chain,
    zerostate: states[0]!.id,
    older: null,
    signatures: async (block) => control.signatures(block),
    send: async (boc) => {
      const outcome = await control.send(boc);
      return outcome.ok ? null : outcome.detail;
    },
    runMethod: localMethods(control, pool),
    load: null,
  };
  return {
    context,
    source,
    mine: async (steps) => {
      const seqno = await control.mine(steps);
      await chain.waitFor(seqno, 60_000, stop.signal);
    },
    close: async () => {
      stop.abort();
      await following;
      await source.close();
      await pool.close();
    },
  };
}
