import type { TlValue } from '../../liteapi/schema/values.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { visitConfig, visitExtra, visitOldBlock, visitState } from '../../ton/proofs/visit-state.ts';
import type { Visits } from '../../ton/proofs/visits.ts';
import { loadMcStateHistory } from '../../ton/tlb/block/mc-state-extra.ts';
import type { LiteContext } from '../lite-context.ts';
import { badRequest, unsupported } from '../lite-refusals.ts';
import { needMasterState, type StatedId, stateProof } from '../located.ts';
import { toBag } from '../proof-bags.ts';
import type { Answers } from './answers.ts';

/** Limit of the reference server. */
const MAX_PARAMS = 256;

/** The configuration of a masterchain block. */
export const CONFIG_ANSWERS: Answers<'getConfigAll' | 'getConfigParams' | 'getValidatorStats'> = {
  getConfigAll: (context, { mode, id }) => proveConfig(context, { mode, id, params: null }),
  getConfigParams(context, { mode, id, param_list }) {
    if (param_list.length > MAX_PARAMS)
      throw badRequest(`at most ${MAX_PARAMS} parameters, not ${param_list.length}`);
    return proveConfig(context, { mode, id, params: param_list });
  },
  getValidatorStats() {
    throw unsupported('this server keeps no statistics of validators');
  },
};

interface ConfigAsked {
  readonly mode: number;
  readonly id: TlValue<'blockIdExt'>;
  /** null for all. */
  readonly params: readonly number[] | null;
}

async function proveConfig(
  context: LiteContext,
  { mode, id, params }: ConfigAsked,
): Promise<TlValue<'configInfo'>> {
  const stated = await needMasterState(context, id);
  const { header, proof } = stateProof(stated, (visits) => visitAsked(visits, stated, { mode, params }));
  return { mode, id, state_proof: toBag(header), config_proof: toBag(proof) };
}

/** Bits of `mode`: parts that a client reads together with the parameters (`ConfigInfo` of the reference node). */
const WITH_LIBRARIES = 2;
const WITH_SHARD_HASHES = 8;
const WITH_ACCOUNTS = 64;
const WITH_PREV_BLOCKS = 128;
/** Parameters that the other bits need: validators, special contracts, workchains, capabilities. */
const PARAMS_BY_BIT: readonly (readonly [bit: number, params: readonly number[]])[] = [
  [16, [28, 34, 35]],
  [32, [31]],
  [256, [12]],
  [512, [8]],
];

function visitAsked(
  visits: Visits,
  { state, id }: StatedId,
  { mode, params }: Pick<ConfigAsked, 'mode' | 'params'>,
): void {
  const { config, history, shardHashes } = visitExtra(visits, state);
  const needed = PARAMS_BY_BIT.flatMap(([bit, numbers]) => (mode & bit ? numbers : []));
  visitConfig(visits, config, params && [...params, ...needed]);
  visits.open(history);
  if (mode & WITH_SHARD_HASHES && shardHashes) visits.openAll(shardHashes);
  if (mode & (WITH_LIBRARIES | WITH_ACCOUNTS))
    for (const ref of visitState(visits, state).totals.refs) visits.open(ref);
  if (mode & WITH_ACCOUNTS) visits.open(visitState(visits, state).accounts);
  if (mode & WITH_PREV_BLOCKS) visitPrevBlocks(visits, history, id.seqno);
}

/** Blocks that contracts see: the newest, those with a seqno of whole hundreds, and the last key block. */
const SEEN_BLOCKS = 16;

function visitPrevBlocks(visits: Visits, history: Cell, seqno: number): void {
  const { lastKeyBlock } = loadMcStateHistory(visits.open(history));
  visitOldBlock(visits, history, lastKeyBlock?.seqno ?? 0);
  const hundred = Math.floor(seqno / 100) * 100;
  for (let n = 0; n < SEEN_BLOCKS; n++)
    for (const seen of [seqno - n, hundred - 100 * n]) if (seen >= 0) visitOldBlock(visits, history, seen);
}
