import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockOfKind, blockThat, call, log, optional } from '../../match/pattern.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { JETTON_TRANSFER, type JettonTransfer } from '../jetton/jetton-transfer.ts';
import { NFT_MINT, type NftMint } from '../nft/nft-single.ts';

const DEPOSIT = 0xf9471134;
const WITHDRAW = 0xcb03bfaf;
const CLAIM = 0xb30c7310;
const HOLD_FUNDS = 0x6bc79e7e;
const HOLD_FUNDS_SIBLING = 0xc0ffeea0;
const FAILED_SWAP = 0xee51ce51;

const transfer = blockOfKind(JETTON_TRANSFER, { label: 'transfer' });

/** Jettons laid into a pool, for which an item was minted. */
interface Deposit {
  readonly transfer: JettonTransfer;
  readonly pool: string | null;
  readonly item: string | null;
  readonly index: bigint | null;
}

const DEPOSIT_KIND: BlockKind<Deposit> = {
  name: 'coffee_staking_deposit',
  type: 'coffee_staking_deposit',
  columns: ({ transfer: one, pool, item, index }) => ({
    source: one.sender,
    source_secondary: one.senderWallet,
    destination: pool,
    destination_secondary: one.receiverWallet,
    asset: one.asset,
    amount: one.amount,
    coffee_staking_deposit_data: { minted_item_address: item, minted_item_index: index },
  }),
  details: ({ transfer: one, pool, item, index }) => ({
    source: one.sender,
    source_jetton_wallet: one.senderWallet,
    pool,
    pool_jetton_wallet: one.receiverWallet,
    asset: one.asset,
    amount: one.amount,
    minted_item_address: item,
    minted_item_index: index,
  }),
};

function buildDeposit(block: Block, found: Found, context: Context): Block {
  const { item } = (found.get('minted') as Block<NftMint>).data;
  return context.merge({
    kind: DEPOSIT_KIND,
    parts: [block, ...found.blocks],
    failed: block.failed,
    data: {
      transfer: (block as Block<JettonTransfer>).data,
      pool: found.get('deposit').destination,
      item: item.address,
      index: item.index,
    },
  });
}

/** Jettons taken out of a pool for its item. */
interface Withdrawal {
  readonly owner: string | null;
  readonly wallet: string | null;
  readonly pool: string | null;
  readonly poolWallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
  readonly item: string | null;
  readonly index: bigint;
  readonly points: bigint;
}

const WITHDRAWAL: BlockKind<Withdrawal> = {
  name: 'coffee_staking_withdraw',
  type: 'coffee_staking_withdraw',
  columns: (one) => ({
    source: one.owner,
    source_secondary: one.wallet,
    destination: one.pool,
    destination_secondary: one.poolWallet,
    asset: one.asset,
    amount: one.amount,
    coffee_staking_withdraw_data: { nft_address: one.item, nft_index: one.index, points: one.points },
  }),
  details: (one) => ({
    source: one.owner,
    source_jetton_wallet: one.wallet,
    pool: one.pool,
    pool_jetton_wallet: one.poolWallet,
    asset: one.asset,
    amount: one.amount,
    nft_address: one.item,
    nft_index: one.index,
    points: one.points,
  }),
};

/** query id:uint64 owner:MsgAddress points:Coins …, then query wallet:MsgAddress amount:Coins owner:MsgAddress */
function buildWithdrawal(block: Block, found: Found, context: Context): Block {
  const notified = found.get('notified');
  const answer = notified.body().skip(64);
  const [index, owner, points] = [answer.u64(), answer.address(), answer.coins()];
  const order = found.get('order').body().skip(64);
  const [poolWallet, amount] = [order.address(), order.coins()];
  const { asset, receiverWallet } = (found.get('transfer') as Block<JettonTransfer>).data;
  return context.merge({
    kind: WITHDRAWAL,
    parts: [block, ...found.blocks],
    failed: block.aborted,
    data: {
      owner,
      wallet: receiverWallet,
      pool: notified.source,
      poolWallet,
      asset,
      amount,
      item: block.destination,
      index,
      points,
    },
  });
}

/** Rewards that a pool was ordered to pay. */
interface Claim {
  readonly pool: string | null;
  readonly poolWallet: string | null;
  readonly recipient: string | null;
  readonly recipientWallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
}

const CLAIM_KIND: BlockKind<Claim> = {
  name: 'coffee_staking_claim_rewards',
  type: 'coffee_staking_claim_rewards',
  columns: (one) => ({
    source: one.pool,
    source_secondary: one.poolWallet,
    destination: one.recipient,
    destination_secondary: one.recipientWallet,
    asset: one.asset,
    amount: one.amount,
  }),
  details: (one) => ({
    pool: one.pool,
    pool_jetton_wallet: one.poolWallet,
    recipient: one.recipient,
    recipient_jetton_wallet: one.recipientWallet,
    asset: one.asset,
    amount: one.amount,
  }),
};

/** query wallet:MsgAddress amount:Coins receiver:MsgAddress (Maybe ^Cell) */
function buildClaim(block: Block, found: Found, context: Context): Block {
  const { asset, receiverWallet } = (found.get('transfer') as Block<JettonTransfer>).data;
  const order = block.body().skip(64);
  const [poolWallet, amount, recipient] = [order.address(), order.coins(), order.address()];
  return context.merge({
    kind: CLAIM_KIND,
    parts: [block, ...found.blocks],
    failed: block.aborted,
    data: { pool: block.destination, poolWallet, recipient, recipientWallet: receiverWallet, asset, amount },
  });
}

/** Money that waits at a contract which protects swaps, or comes back from it. */
interface Held {
  readonly source: string | null;
  readonly wallet: string | null;
  readonly contract: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
}

const heldColumns = (one: Held) => ({
  source: one.source,
  source_secondary: one.wallet,
  destination: one.contract,
  asset: one.asset,
  amount: one.amount,
});

const HOLD: BlockKind<Held> = {
  name: 'coffee_mev_protect_hold_funds',
  type: 'coffee_mev_protect_hold_funds',
  columns: heldColumns,
  details: (one) => ({
    source: one.source,
    source_jetton_wallet: one.wallet,
    mev_contract: one.contract,
    // The deployed servers leave it out.
    mev_contract_jetton_wallet: null,
    asset: one.asset,
    amount: one.amount,
  }),
};

const FAILED: BlockKind<Held> = {
  name: 'coffee_mev_protect_failed_swap',
  type: 'coffee_mev_protect_failed_swap',
  columns: heldColumns,
  details: null,
};

function getHeld(block: Block): Held {
  if (!block.is(JETTON_TRANSFER)) {
    const { source, destination, value } = block as Block;
    return { source, wallet: null, contract: destination, asset: null, amount: value };
  }
  const { sender, senderWallet, receiver, asset, amount } = block.data;
  return { source: sender, wallet: senderWallet, contract: receiver, asset, amount };
}

const building = (kind: BlockKind<Held>) => (block: Block, found: Found, context: Context) =>
  context.merge({ kind, parts: [block, ...found.blocks], failed: block.failed, data: getHeld(block) });

/** A call with the op, or jettons with it in front of their payload. */
const callOrPayload = (op: number) => (block: Block) =>
  block.is(JETTON_TRANSFER)
    ? block.data.payloadOp === op
    : (block as Block).kind.name === 'call_contract' && (block as Block).opcode === op;

/**
 * coffee's staking and protected swaps (v3-actions 4.5, v3-actions-rules 5.5): deposit jetton_transfer → 0xf9471134 with a
 * nft_mint, withdrawal three 0xcb03bfaf and a jetton_transfer, rewards 0xb30c7310 → jetton_transfer.
 */
export const coffeeStaking: readonly Matcher[] = [
  {
    name: 'coffee_mev_protect_hold_funds',
    after: ['coffee_swap'],
    pattern: blockThat(callOrPayload(HOLD_FUNDS), {
      marks: [JETTON_TRANSFER.name, HOLD_FUNDS],
      parent: optional(blockThat(() => true, { child: call(HOLD_FUNDS_SIBLING) })),
      build: building(HOLD),
    }),
  },
  {
    name: 'coffee_mev_protect_failed_swap',
    after: ['coffee_mev_protect_hold_funds'],
    pattern: blockThat(callOrPayload(FAILED_SWAP), {
      marks: [JETTON_TRANSFER.name, FAILED_SWAP],
      build: building(FAILED),
    }),
  },
  {
    name: 'coffee_staking_deposit',
    after: ['coffee_mev_protect_failed_swap'],
    pattern: blockOfKind(JETTON_TRANSFER, {
      child: call(DEPOSIT, {
        label: 'deposit',
        children: [optional(log(DEPOSIT)), blockOfKind(NFT_MINT, { label: 'minted' })],
      }),
      build: buildDeposit,
    }),
  },
  {
    name: 'coffee_staking_withdraw',
    after: ['coffee_staking_deposit'],
    pattern: call(WITHDRAW, {
      child: call(WITHDRAW, {
        label: 'notified',
        children: [call(WITHDRAW, { label: 'order', child: transfer }), optional(log(WITHDRAW))],
      }),
      build: buildWithdrawal,
    }),
  },
  {
    name: 'coffee_staking_claim_rewards',
    after: ['coffee_staking_withdraw'],
    pattern: call(CLAIM, { children: [transfer, optional(log(CLAIM))], build: buildClaim }),
  },
];
