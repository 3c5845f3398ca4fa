import { ForeignBlockError } from '../chain/chain-errors.ts';
import { zerostateId } from '../identity.ts';
import { tipAfter } from '../log-tail.ts';
import type { ChainTip, Source, SourceFacts, Step } from '../source.ts';
import { startFromStates } from '../states.ts';
import type { LiveSource } from './liteserver-source.ts';

/**
 * Packs first, then the network: the live source continues after the last step of the archive. Every step follows the one
 * before by its hashes, so there is no gap and no duplicate.
 */
export function archiveThenLive(archive: Source, live: LiveSource): LiveSource {
  return {
    name: `${archive.name},${live.name}`,
    finite: false,
    continuity: 'chain',
    pool: live.pool,
    trust: live.trust,
    zerostate: live.zerostate,
    progress: live.progress,
    provenId: (seqno, signal) => live.provenId(seqno, signal),
    describe: () => describe(archive, live),
    steps: (after, signal) => steps(archive, live, after, signal),
    signatures: async (block) =>
      (await archive.signatures?.(block)) ?? (await live.signatures?.(block)) ?? null,
    oldBlock: async (block, earlier) => (await live.oldBlock?.(block, earlier)) ?? null,
    async close() {
      await Promise.all([archive.close(), live.close()]);
    },
  };
}

async function describe(archive: Source, live: LiveSource): Promise<SourceFacts> {
  const facts = await archive.describe();
  if (facts.firstMcSeqno === null) return await live.describe();
  const zerostate = live.zerostate;
  if (facts.zerostate && zerostateId(facts.zerostate) !== zerostateId(zerostate))
    throw new ForeignBlockError(
      archive.name,
      'the zerostate',
      zerostateId(zerostate),
      zerostateId(facts.zerostate),
    );
  return { ...facts, zerostate, lastMcSeqno: null, blocks: null };
}

async function* steps(
  archive: Source,
  live: LiveSource,
  after: ChainTip | null,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  let tip = after;
  const { lastMcSeqno } = await archive.describe();
  // A log that is beyond the packs continues at the network: the packs do not have its tip.
  if (lastMcSeqno !== null && (after === null || after.mcSeqno < lastMcSeqno))
    for await (const step of archive.steps(after, signal)) {
      yield step;
      const last = step.blocks.at(-1);
      tip = last ? tipAfter(last) : startFromStates(step.states).tip;
    }
  if (!signal.aborted) yield* live.steps(tip, signal);
}
