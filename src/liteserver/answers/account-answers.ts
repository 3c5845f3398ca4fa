import type { TlAnswer, TlParameters, TlValue } from '../../liteapi/schema/values.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { makeProof } from '../../ton/proofs/make-proof.ts';
import { visitAccount } from '../../ton/proofs/visit-state.ts';
import { Visits } from '../../ton/proofs/visits.ts';
import { toAccountName } from '../../ton/store/store-address.ts';
import type { LiteContext } from '../lite-context.ts';
import { loadedLater, noState, unsupported } from '../lite-refusals.ts';
import {
  findBlock,
  needMasterState,
  needState,
  provenShard,
  type StatedId,
  statedBlock,
  stateProof,
} from '../located.ts';
import { prove, toBag } from '../proof-bags.ts';
import { fromTl, toTl } from '../tl-values.ts';
import type { Answers } from './answers.ts';

/** Accounts with proofs, and get methods on them. */
export const ACCOUNT_ANSWERS: Answers<'getAccountState' | 'getAccountStatePrunned' | 'runSmcMethod'> = {
  async getAccountState(context, parameters) {
    const { account, ...answer } = await accountAt(context, parameters);
    return { ...answer, state: account ? toBag(account) : new Uint8Array() };
  },
  // The account's root without code, data and libraries.
  async getAccountStatePrunned(context, parameters) {
    const { account, ...answer } = await accountAt(context, parameters);
    return {
      ...answer,
      state: account ? toBag(prove(account, (visits) => visits.open(account)).proof) : new Uint8Array(),
    };
  },
  async runSmcMethod(context, { mode, id, account: who, method_id, params }) {
    const {
      account,
      id: mcId,
      shardblk,
      shard_proof,
      proof,
    } = await accountAt(context, { id, account: who });
    if (!context.runMethod) throw unsupported('this server does not run get methods');
    if (mode & (1 << 3)) throw unsupported('this server does not return the initial c7');
    const outcome = account && (await runMethod(context, { who, id, method_id, params }));
    return {
      mode: mode & ~LIB_EXTRAS,
      id: mcId,
      shardblk,
      ...(mode & 1 && { shard_proof, proof }),
      ...(mode & 2 && { state_proof: account ? toBag(wholeProof(account)) : new Uint8Array() }),
      exit_code: outcome?.exitCode ?? NO_CONTRACT,
      ...(mode & 4 && { result: outcome?.stack ?? new Uint8Array() }),
    };
  },
};

/** `-0x100` of the reference server: the account has no code. */
const NO_CONTRACT = -256;
const LIB_EXTRAS = 1 << 4;

/** Every cell of the account: the executor does not say which ones it read. */
function wholeProof(account: Cell): Cell {
  const visits = new Visits();
  visits.openAll(account);
  return makeProof(account, visits);
}

async function runMethod(
  context: LiteContext,
  {
    who,
    id,
    method_id,
    params,
  }: {
    readonly who: TlValue<'accountId'>;
    readonly id: TlValue<'blockIdExt'>;
    readonly method_id: bigint;
    readonly params: Uint8Array;
  },
) {
  const outcome = await context.runMethod!({
    workchain: who.workchain,
    address: who.id,
    mcSeqno: id.seqno,
    methodId: Number(BigInt.asIntN(32, method_id)),
    stack: params,
  });
  if (!outcome) throw noState(fromTl(id));
  return outcome;
}

type AccountAt = Omit<TlAnswer<'getAccountState'>, 'state'> & { readonly account: Cell | null };

/** An account with its proofs. An account of a fork is not absent before it is loaded. */
async function accountAt(
  context: LiteContext,
  asked: Pick<TlParameters<'getAccountState'>, 'id' | 'account'>,
): Promise<AccountAt> {
  const answer = await stateAt(context, asked);
  if (answer.account !== null || !context.load) return answer;
  const account = { workchain: asked.account.workchain, address: asked.account.id };
  const loadedBy = await context.load(account);
  const isLater = asked.id.workchain !== -1 || asked.id.seqno < loadedBy;
  if (loadedBy > 0 && isLater) throw loadedLater(toAccountName(account), loadedBy);
  return answer;
}

/** The account as a block has it: of a masterchain block the newest one of its shard, of a shard block the one there. */
async function stateAt(
  context: LiteContext,
  { id, account: { workchain, id: address } }: Pick<TlParameters<'getAccountState'>, 'id' | 'account'>,
): Promise<AccountAt> {
  const start = id.workchain === -1 ? await needMasterState(context, id) : await needState(context, id);
  const isThere = start.id.workchain === workchain;
  const prefix = new DataView(address.buffer, address.byteOffset, 8).getBigUint64(0);
  const shard = isThere ? null : provenShard(start, { workchain, prefix });
  const stated: StatedId = shard ? await shardState(context, shard.id) : start;
  const { header, proof, result } = stateProof(stated, (visits) =>
    visitAccount(visits, stated.state, address),
  );
  return {
    id,
    shardblk: toTl(stated.id),
    shard_proof: shard?.proof ?? new Uint8Array(),
    proof: toBag([header, proof]),
    account: result?.account ?? null,
  };
}

async function shardState(context: LiteContext, id: StatedId['id']): Promise<StatedId> {
  if (id.seqno === 0) return needState(context, toTl(id));
  return statedBlock(context, await findBlock(context, id));
}
