import { isRefusal, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockThat, call, optional } from '../../match/pattern.ts';
import { CALL_CONTRACT, TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block, BlockKind } from '../../tree/block.ts';

/** Ops of multisig v2 (ton-blockchain/multisig-contract-v2, op-codes). */
const NEW_ORDER = 0xf718510f;
const ORDER_INIT = 0x9c73fba2;
const APPROVE = 0xa762230f;
const APPROVE_ACCEPTED = 0x82609bf6;
const APPROVE_REJECTED = 0xafaf283e;
const EXECUTE = 0x75097f5d;

/** Addresses whose approval counts: they take part in every action of the order. */
interface WithSigners {
  readonly signers: readonly string[];
}

const accounts = ({ signers }: WithSigners): readonly string[] => signers;

/** A proposal to a multisig wallet. */
interface CreatedOrder extends WithSigners {
  readonly source: string | null;
  readonly multisig: string | null;
  readonly order: string | null;
  readonly fields: {
    readonly query_id: bigint;
    readonly order_seqno: bigint;
    readonly is_created_by_signer: boolean;
    readonly is_signed_by_creator: boolean;
    readonly creator_index: number;
    readonly expiration_date: number;
    readonly order_boc: string;
  };
}

const CREATE_ORDER: BlockKind<CreatedOrder> = {
  name: 'multisig_create_order',
  type: 'multisig_create_order',
  columns: ({ source, multisig, order, fields }) => ({
    source,
    destination: multisig,
    destination_secondary: order,
    multisig_create_order_data: fields,
  }),
  details: ({ source, multisig, order, fields }) => ({
    ...fields,
    source,
    destination: multisig,
    destination_order: order,
  }),
  accounts,
};

/** expiration:uint48 approve:Bool, and index:uint8 if it is set: the fields after the signers. */
const INIT_END_BITS: ReadonlySet<number> = new Set([48 + 1, 48 + 1 + 8]);

/**
 * init#9c73fba2 query threshold:uint8 signers:^(Hashmap 8 MsgAddress) expiration:uint48 ^order approve:Bool index?:uint8.
 * A body with one more bit has the signers as a HashmapE.
 */
function readOrderInit(block: Block) {
  const body = block.body().skip(64 + 8);
  if (INIT_END_BITS.has(body.bitsLeft)) body.ref();
  else body.maybeRef();
  const expiration = Number(body.big(48));
  return { expiration, order: body.ref().toPlainBoc(), isApproved: body.bit() };
}

/** new_order#f718510f query order_seqno:uint256 is_signer:Bool index:uint8 expiration:uint48 ^order */
function buildCreate(block: Block, found: Found, context: Context): Block {
  const init = found.get('init');
  const { signers } = neededOrder(init.destination, context);
  const body = block.body();
  const [query, seqno, isSigner, index] = [body.u64(), body.big(256), body.bit(), body.uint(8)];
  const { expiration, order, isApproved } = readOrderInit(init);
  return context.merge({
    kind: CREATE_ORDER,
    parts: [block, init],
    data: {
      source: block.source,
      multisig: block.destination,
      order: init.destination,
      signers,
      fields: {
        query_id: query,
        order_seqno: seqno,
        is_created_by_signer: isSigner,
        is_signed_by_creator: isApproved,
        creator_index: index,
        expiration_date: expiration,
        order_boc: order,
      },
    },
  });
}

function neededOrder(address: string | null, context: Context) {
  return needed(context.account(address)?.multisigOrder, `multisig order ${address}`);
}

/** A signer's vote for an order. */
interface OrderApproval extends WithSigners {
  readonly signer: string | null;
  readonly order: string | null;
  /** -1: voted by a comment. */
  readonly index: number;
  /** 0: accepted. */
  readonly exitCode: number;
}

const APPROVE_ORDER: BlockKind<OrderApproval> = {
  name: 'multisig_approve',
  type: 'multisig_approve',
  columns: ({ signer, order, index, exitCode }) => ({
    source: signer,
    destination: order,
    multisig_approve_data: { signer_index: index, exit_code: exitCode },
  }),
  details: ({ signer, order, index, exitCode }) => ({
    signer_index: index,
    exit_code: exitCode,
    source: signer,
    destination: order,
  }),
  accounts,
};

/** approve#a762230f query signer_index:uint8; -1 if the body is absent or too short. */
function signerIndex(block: Block): number {
  if (block.opcode !== APPROVE) return -1;
  try {
    return block.body().skip(64).uint(8);
  } catch (error) {
    if (isRefusal(error)) return -1;
    throw error;
  }
}

/** approve_rejected#afaf283e query exit_code:uint32 */
function buildApprove(block: Block, found: Found, context: Context): Block {
  const { signers } = neededOrder(block.destination, context);
  const isAccepted = found.maybe('accepted') !== null;
  const exitCode = isAccepted ? 0 : found.get('rejected').body().skip(64).uint(32);
  return context.merge({
    kind: APPROVE_ORDER,
    parts: [block, ...found.blocks],
    failed: !isAccepted,
    data: { signer: block.source, order: block.destination, index: signerIndex(block), exitCode, signers },
  });
}

function isVote(block: Block): boolean {
  if (block.is(TON_TRANSFER)) return block.data.comment.text === 'approve';
  return block.opcode === APPROVE && (block as Block).is(CALL_CONTRACT);
}

/** An order that the multisig wallet was asked to execute. */
interface ExecutedOrder extends WithSigners {
  readonly order: string | null;
  readonly multisig: string | null;
  readonly fields: {
    readonly query_id: bigint;
    readonly order_seqno: bigint;
    readonly expiration_date: number;
    readonly approvals_num: number;
    readonly signers_hash: string;
    readonly order_boc: string;
  };
}

const EXECUTE_ORDER: BlockKind<ExecutedOrder> = {
  name: 'multisig_execute',
  type: 'multisig_execute',
  columns: ({ order, multisig, fields }) => ({
    source: order,
    destination: multisig,
    multisig_execute_data: fields,
  }),
  details: ({ order, multisig, fields }) => ({ ...fields, source: order, destination: multisig }),
  accounts,
};

/** execute#75097f5d query order_seqno:uint256 expiration:uint48 approvals:uint8 signers_hash:bits256 ^order */
function buildExecute(block: Block, _found: Found, context: Context): Block {
  const { signers } = neededOrder(block.source, context);
  const body = block.body();
  const fields = {
    query_id: body.u64(),
    order_seqno: body.big(256),
    expiration_date: Number(body.big(48)),
    approvals_num: body.uint(8),
    signers_hash: body.bytes(32).toBase64(),
    order_boc: body.ref().toPlainBoc(),
  };
  return context.merge({
    kind: EXECUTE_ORDER,
    parts: [block],
    failed: block.aborted,
    data: { order: block.source, multisig: block.destination, signers, fields },
  });
}

/**
 * multisig_create_order: 0xf718510f → 0x9c73fba2 to a known order; these two are merged. multisig_approve: 0xa762230f, or a
 * TON transfer with the comment `approve`, to a known order, answered by 0x82609bf6 or 0xafaf283e (failed, with its exit
 * code). multisig_execute: 0x75097f5d from a known order. Signers count among the accounts of all three.
 */
export const multisig: readonly Matcher[] = [
  {
    name: 'multisig_create_order',
    after: ['nft_mint'],
    before: ['jetton_transfer'],
    pattern: call(NEW_ORDER, {
      children: [call(ORDER_INIT, { label: 'init', excesses: 'leave' })],
      build: buildCreate,
    }),
  },
  {
    name: 'multisig_approve',
    after: ['multisig_create_order'],
    before: ['jetton_transfer'],
    pattern: blockThat(isVote, {
      marks: [TON_TRANSFER.name, APPROVE],
      children: [
        optional(call(APPROVE_ACCEPTED, { label: 'accepted' })),
        optional(call(APPROVE_REJECTED, { label: 'rejected' })),
      ],
      build: buildApprove,
    }),
  },
  {
    name: 'multisig_execute',
    after: ['multisig_approve'],
    before: ['jetton_transfer'],
    pattern: call(EXECUTE, { build: buildExecute }),
  },
];
