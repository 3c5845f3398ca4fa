import type { PoolFact } from '../../ton/contracts/account-facts.ts';
import { assetsOfSwap, SWAP_LOG } from '../../ton/contracts/dedust-pool.ts';
import type { ContractFacts } from './model/contract-facts.ts';
import type { Trace } from './model/trace.ts';

/** The part of a trace with the messages that no account receives. */
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
export function addPools(trace: WithLogs, facts: ContractFacts): ContractFacts {
  const pools = findPools(trace);
  return {
    of: (address) => facts.of(address),
    getData: (address) => facts.getData(address),
    getPool: (address) => pools.get(address) ?? facts.getPool(address),
  };
}

function findPools({ transactions }: WithLogs): ReadonlyMap<string, PoolFact> {
  const pools = new Map<string, PoolFact>();
  for (const { account, outMessages } of transactions)
    for (const { destination, opcode, body } of outMessages) {
      const isSwap = destination === null && opcode === SWAP_LOG && body !== null;
      const assets = isSwap && !pools.has(account) ? assetsOfSwap(body) : null;
      if (assets) pools.set(account, { assets });
    }
  return pools;
}
