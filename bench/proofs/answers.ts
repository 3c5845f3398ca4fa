import type { Cell } from '../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import { type AccountAnswer, checkAccount } from '../../src/ton/proofs/check-account.ts';
import { checkHeader } from '../../src/ton/proofs/check-header.ts';
import { checkShardHashes } from '../../src/ton/proofs/check-shards.ts';
import { checkSeparateState, findConfigParam, findOldBlock } from '../../src/ton/proofs/check-state.ts';
import { makeProof } from '../../src/ton/proofs/make-proof.ts';
import { visitHeader, visitMcExtra } from '../../src/ton/proofs/visit-block.ts';
import {
  visitAccount,
  visitConfig,
  visitExtra,
  visitOldBlock,
  visitShard,
} from '../../src/ton/proofs/visit-state.ts';
import { Visits } from '../../src/ton/proofs/visits.ts';
import type { StatedBlock } from './stated-blocks.ts';

/** A kind of answer: how it is made, and how a client checks it. */
export interface ProvenAnswer {
  readonly name: string;
  readonly make: () => unknown;
  readonly check: () => unknown;
}

const bag = (roots: Cell | Cell[]) => writeBag(roots, { index: false });

function prove<T>(root: Cell, visit: (visits: Visits) => T): { readonly proof: Cell; readonly result: T } {
  const visits = new Visits();
  const result = visit(visits);
  return { proof: makeProof(root, visits), result };
}

const headerProof = (block: Cell) => prove(block, (visits) => visitHeader(visits, block)).proof;

function accountAnswer(master: StatedBlock, shard: StatedBlock): AccountAnswer {
  const address = new Uint8Array(32);
  const shards = prove(master.state, (visits) =>
    visitShard(visits, visitExtra(visits, master.state).shardHashes, { workchain: 0, prefix: 0n }),
  );
  const account = prove(shard.state, (visits) => visitAccount(visits, shard.state, address));
  return {
    id: master.header,
    shardBlock: shard.header,
    account: { workchain: 0, address },
    shardProof: bag([headerProof(master.block), shards.proof]),
    proof: bag([headerProof(shard.block), account.proof]),
    state: account.result ? bag(account.result.account) : new Uint8Array(),
  };
}

function shardsAnswer({ block }: StatedBlock): { readonly proof: Uint8Array; readonly data: Uint8Array } {
  const { proof, result } = prove(block, (visits) => {
    const { shardHashes } = visitMcExtra(visits, visitHeader(visits, block).extra);
    if (shardHashes) visits.openAll(shardHashes);
    return shardHashes;
  });
  return { proof: bag(proof), data: bag(new CellBuilder().maybeRef(result).cell()) };
}

function configAnswer({ block, state }: StatedBlock): {
  readonly header: Uint8Array;
  readonly proof: Uint8Array;
} {
  const { proof } = prove(state, (visits) => {
    const { config, history } = visitExtra(visits, state);
    visitConfig(visits, config, [28, 34]);
    visitOldBlock(visits, history, 1);
  });
  return { header: bag(headerProof(block)), proof: bag(proof) };
}

/** The answers over a masterchain block and the newest block of its shard. */
export function provenAnswers(master: StatedBlock, shard: StatedBlock): ProvenAnswer[] {
  const account = accountAnswer(master, shard);
  const shards = shardsAnswer(master);
  const config = configAnswer(master);
  const header = bag(headerProof(master.block));
  return [
    {
      name: 'block header',
      make: () => bag(headerProof(master.block)),
      check: () => checkHeader(header, master.header),
    },
    {
      name: 'account in a shard',
      make: () => accountAnswer(master, shard),
      check: () => checkAccount(account),
    },
    {
      name: 'all shards',
      make: () => shardsAnswer(master),
      check: () => checkShardHashes(shards.proof, shards.data, master.header),
    },
    {
      name: 'two parameters and an earlier block',
      make: () => configAnswer(master),
      check: () => {
        const state = checkSeparateState(config.header, config.proof, master.header);
        return [findConfigParam(state, 34), findOldBlock(state, 1)];
      },
    },
  ];
}
