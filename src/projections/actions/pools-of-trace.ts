import { Body } from './body/body.ts';
import { isRefusal } from './body/refusal.ts';
import { readSwapLog, SWAP_LOG } from './families/dedust-messages.ts';
import type { ContractFacts, PoolFact } from './model/contract-facts.ts';
import type { Trace } from './model/trace.ts';

/** What a trace has of messages that no account receives. */
type WithLogs = {
  readonly transactions: readonly {
    readonly account: string;
    readonly outMessages: readonly Pick<
      Trace['transactions'][number]['outMessages'][number],
      'destination' | 'opcode' | 'body'
    >[];
  }[];
};

/**
 * Facts that know the assets of dedust pools by what the pools log of their swaps in the trace; other pools are looked up.
 */
export function withPoolsOf(trace: WithLogs, facts: ContractFacts): ContractFacts {
  const pools = poolsOf(trace);
  return {
    of: (address) => facts.of(address),
    dataOf: (address) => facts.dataOf(address),
    poolOf: (address) => pools.get(address) ?? facts.poolOf(address),
  };
}

function poolsOf({ transactions }: WithLogs): ReadonlyMap<string, PoolFact> {
  const pools = new Map<string, PoolFact>();
  for (const { account, outMessages } of transactions)
    for (const { destination, opcode, body } of outMessages) {
      const isSwap = destination === null && opcode === SWAP_LOG && body !== null;
      const pool = isSwap && !pools.has(account) ? poolOf(body) : null;
      if (pool) pools.set(account, pool);
    }
  return pools;
}

/** Assets of a pool by its log of a swap; null for a log of another contract that begins the same. */
export function poolOf(body: Uint8Array): PoolFact | null {
  try {
    const { assetIn, assetOut } = readSwapLog(Body.of(body).skip(32));
    return { assets: [assetIn, assetOut] };
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}
