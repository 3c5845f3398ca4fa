import { join } from 'node:path';
import { describe, it } from 'vitest';
import { type ChainCounts, readCounts } from './chain-counts.ts';
import { sharedData } from './shared-data-folder.ts';

/** A chain from its first block, in folders as those of the real data. */
export interface TestChain extends ChainCounts {
  /** `blocks/SET/*.boc` with `facts.json`, `blocks/packs/*.pack`, and `states` are below it. */
  readonly data: string;
  /** The set of its blocks. */
  readonly set: string;
  /** Its packages, as a source: `archive:PATH`. */
  readonly source: string;
  /** Files of the zerostates of masterchain and basechain. */
  readonly states: readonly [string, string];
  /** The first 99 masterchain blocks of mainnet; otherwise a local chain. */
  readonly isMainnet: boolean;
}

/** A suite over the real data; without the data it is skipped with a notice. */
export function describeWithData(name: string, define: (data: string) => void): void {
  if (sharedData) {
    const data = sharedData;
    describe(name, () => define(data));
  } else {
    noticeSkipped(name);
    describe.skip(`${name} (../shared/data is not here)`, () => {});
  }
}

/** A test over the real data; without the data it is skipped with a notice. */
export function itWithData(name: string, test: (data: string) => Promise<void>): void {
  if (sharedData) {
    const data = sharedData;
    it(name, () => test(data));
  } else {
    noticeSkipped(name);
    it.skip(`${name} (../shared/data is not here)`, () => {});
  }
}

/** A suite that any chain can show: over the real data, or over the fixture pack (`test/setup/fixture-pack.ts`) without it. */
export function describeWithChain(name: string, define: (chain: TestChain) => void): void {
  const chain = sharedData
    ? chainOf(sharedData, 'mainnet')
    : chainOf(process.env.TEST_FIXTURE_PACK!, 'localnet');
  describe(chain.isMainnet ? name : `${name} (fixture pack)`, () => define(chain));
}

function chainOf(data: string, network: 'mainnet' | 'localnet'): TestChain {
  const set = network === 'mainnet' ? 'mainnet-genesis-0001' : 'localnet';
  const state = (workchain: number) => join(data, `accounts/states/${network}_zerostate_${workchain}.boc`);
  return {
    data,
    set,
    source: `archive:${join(data, 'blocks/packs')}`,
    states: [state(-1), state(0)],
    isMainnet: network === 'mainnet',
    ...readCounts(join(data, 'blocks', set, 'facts.json')),
  };
}

function noticeSkipped(name: string): void {
  console.log(`skipped: ${name}: ../shared/data is not here`);
}
