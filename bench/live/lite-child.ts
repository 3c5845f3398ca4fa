/**
 * `node lite-child.ts OPTIONS` (JSON): lite servers of a generated chain. They offer the first blocks at once, and the
 * others when the parent says so.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnswerRequest, LiteListener } from '../../src/liteapi/lite-listener.ts';
import { globalConfig } from '../../src/liteserver/global-config.ts';
import { LiteBlocks } from '../../test/helpers/lite-blocks.ts';
import { LiteProofs } from '../../test/helpers/lite-proofs.ts';
import { readLocalBlocks } from '../../test/helpers/local-blocks.ts';
import { note } from '../common/report.ts';
import { FIRST_BLOCKS } from '../idle/product-process.ts';
import type { FromLiteChild, LiteChildOptions, OfferBlocks } from './lite-process.ts';
import { CHAIN_SEED } from './served-chain.ts';

const { packs, servers, rttMs } = JSON.parse(process.argv[2] ?? '') as LiteChildOptions;
const send = (message: FromLiteChild) => void process.send?.(message);

const steps = await readLocalBlocks(packs);
const chain = new LiteBlocks(steps, new LiteProofs({ seed: CHAIN_SEED, form: 'ordinary' }));
const last = chain.head;
chain.grow(FIRST_BLOCKS);

/** Half of the round trip before the answer, and half after it. */
const answer: AnswerRequest = async (request) => {
  if (rttMs === 0) return chain.answer(request);
  await sleep(rttMs / 2);
  try {
    return await chain.answer(request);
  } finally {
    await sleep(rttMs / 2);
  }
};

async function offer({ stepMs }: OfferBlocks): Promise<void> {
  if (stepMs === 0) return chain.grow(last);
  for (let due = performance.now(), next = chain.head + 1; next <= last; next++, due += stepMs) {
    await sleep(Math.max(0, due - performance.now()));
    chain.grow(next);
    send({ kind: 'offered', mcSeqno: next, at: Date.now() });
  }
}

const listeners = await Promise.all(
  Array.from({ length: servers }, (_, at) =>
    LiteListener.open({
      host: '127.0.0.1',
      port: 0,
      seed: Buffer.alloc(32, at + 1),
      answer,
      onError: (error) => note(`lite server: ${error}`),
    }),
  ),
);
process.on('message', (message) => void offer(message as OfferBlocks));
const addresses = listeners.map(({ port, publicKey }) => ({ ip: '127.0.0.1', port, publicKey }));
send({
  kind: 'serving',
  config: globalConfig(addresses, chain.zerostate.id),
  last,
  blocksToOffer: steps
    .filter(({ mcSeqno }) => mcSeqno > FIRST_BLOCKS)
    .reduce((sum, { blocks }) => sum + blocks.length, 0),
});
