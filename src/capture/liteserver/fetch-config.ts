import { isComplete, serializeCell } from '../../ton/boc/serialize.ts';
import { checkSeparateState, masterchainExtra } from '../../ton/proofs/check-state.ts';
import { ProofError } from '../../ton/proofs/proof-error.ts';
import type { BlockIdExt } from '../block-id.ts';
import type { FoundCell } from '../files/find-cells.ts';
import type { ServerPool } from './server-pool.ts';
import { toTlId } from './tl-block-id.ts';

/** Rounds over all servers: most of them keep recent states only. */
const ROUNDS = 2;

/**
 * The dictionary of the configuration after a masterchain block, proven by the block's state.
 * @throws NoServerError if no server has it; the reason of the signal
 */
export async function fetchConfig(
  pool: ServerPool,
  block: BlockIdExt,
  signal: AbortSignal,
): Promise<FoundCell> {
  const request = { mode: 0, id: toTlId(block) };
  const { value } = await pool.ask('getConfigAll', request, {
    signal,
    what: `the configuration after masterchain block ${block.seqno}`,
    rounds: ROUNDS,
    check: ({ state_proof, config_proof }, { name }) => {
      const state = checkSeparateState(state_proof, config_proof, block);
      const { config } = masterchainExtra(state);
      const { boc, hashes } = state.tree;
      if (!isComplete(boc, config)) throw new ProofError('the configuration', 'all of it', 'pruned cells');
      const hash = Buffer.from(hashes.hash(config)).toString('hex');
      return { hash, boc: serializeCell(boc, config), origin: `the configuration by ${name}` };
    },
  });
  return value;
}
