/**
 * A network in a process of its own: generates a chain and answers as a lite server. The parent process gets the global
 * configuration, and the time of each block when the chain grows. It sends `grow` to begin.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LiteListener } from '../../src/liteapi/lite-listener.ts';
import { LiteBlocks } from '../../test/helpers/lite-blocks.ts';
import { LiteProofs } from '../../test/helpers/lite-proofs.ts';
import { makeLocalBlocks } from '../../test/helpers/local-blocks.ts';

/** What the network is like. */
export interface NetworkPlan {
  readonly steps: number;
  readonly shards: number;
  /** Transactions of a step. */
  readonly perStep: number;
  /** Delay of each answer. */
  readonly rttMs: number;
  /** Time between two blocks; 0: all blocks are there from the start. */
  readonly stepMs: number;
}

/** Messages to the parent. */
export type NetworkMessage =
  | { readonly kind: 'ready'; readonly config: string; readonly head: number }
  | { readonly kind: 'block'; readonly seqno: number; readonly at: number };

const SEED = 'bench';
/** Blocks that are there when the chain begins to grow. */
const FIRST = 3;

const plan = JSON.parse(process.argv[2] ?? '{}') as NetworkPlan;
const chain = await makeLocalBlocks({
  seed: SEED,
  shards: plan.shards,
  transactions: plan.steps * plan.perStep,
  perStep: plan.perStep,
});
const blocks = new LiteBlocks(chain, new LiteProofs({ seed: SEED, form: 'ordinary' }));
const last = blocks.head;
if (plan.stepMs > 0) blocks.grow(FIRST);
const listener = await LiteListener.open({
  host: '127.0.0.1',
  port: 0,
  seed: Buffer.alloc(32, 7),
  maxPending: 1_024,
  answer: async (request) => {
    if (plan.rttMs > 0) await sleep(plan.rttMs);
    return blocks.answer(request);
  },
  onError: (error) => console.error(error),
});

function send(message: NetworkMessage): void {
  process.send?.(message);
}

function configText(): string {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const { rootHash, fileHash } = blocks.zerostate.id;
  const hashes = `"root_hash":"${text(rootHash)}","file_hash":"${text(fileHash)}"`;
  const zerostate = `{"workchain":-1,"shard":-9223372036854775808,"seqno":0,${hashes}}`;
  const server = `{"ip":2130706433,"port":${listener.port},"id":{"key":"${text(listener.publicKey)}"}}`;
  return `{"liteservers":[${server}],"validator":{"zero_state":${zerostate},"init_block":${zerostate},"hardforks":[]}}`;
}

process.once('message', async () => {
  const begun = performance.now();
  for (let count = 1; blocks.head < last; count++) {
    await sleep(Math.max(0, begun + count * plan.stepMs - performance.now()));
    blocks.grow(blocks.head + 1);
    send({ kind: 'block', seqno: blocks.head, at: Date.now() });
  }
});
process.once('disconnect', () => process.exit(0));
send({ kind: 'ready', config: configText(), head: blocks.head });
