import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, blockThat, call } from '../../match/pattern.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { JETTON_TRANSFER, type JettonTransfer } from '../jetton/jetton-transfer.ts';
import { assetText, commentTransfer, isTon, userBody, userCall } from './evaa-messages.ts';

const SUPPLY = 0x00000001;
const SUPPLY_USER = 0x00000011;
const SUPPLY_SUCCESS = 0x0000011a;
const SUPPLY_FAIL = 0x0000011f;

/** Request of the start, whether it carries TON or jettons. */
interface Request {
  readonly sender: string | null;
  readonly senderWallet: string | null;
  readonly recipient: string | null;
  readonly master: string | null;
  readonly masterWallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
}

/** Assets laid into the protocol. */
interface Supply extends Request {
  readonly contract: string | null;
  readonly assetId: bigint;
  readonly recipientWallet: string | null;
}

const SUPPLY_KIND: BlockKind<Supply> = {
  name: 'evaa_supply',
  type: 'evaa_supply',
  columns: (one) => ({
    source: one.sender,
    source_secondary: one.senderWallet,
    destination: one.recipient,
    destination_secondary: one.contract,
    asset: one.asset,
    amount: one.amount,
    evaa_supply_data: {
      is_ton: isTon(one.assetId),
      asset_id: assetText(one.assetId),
      master: one.master,
      recipient_jetton_wallet: one.recipientWallet,
      master_jetton_wallet: one.masterWallet,
    },
  }),
  details: (one) => ({
    sender_jetton_wallet: one.senderWallet,
    recipient_jetton_wallet: one.recipientWallet,
    master_jetton_wallet: one.masterWallet,
    master: one.master,
    asset_id: assetText(one.assetId),
    is_ton: isTon(one.assetId),
    source: one.sender,
    source_wallet: one.senderWallet,
    recipient: one.recipient,
    recipient_contract: one.contract,
    asset: one.asset,
    amount: one.amount,
  }),
};

/** Payload: op uint2 recipient:MsgAddress … */
function readJettonRequest({ data }: Block<JettonTransfer>): Request {
  const payload = needed(data.request.forwardPayload, 'the payload of a supply').clone();
  return {
    sender: data.sender,
    senderWallet: data.senderWallet,
    recipient: payload.skip(32 + 2).address(),
    master: data.receiver,
    masterWallet: data.receiverWallet,
    asset: data.asset,
    amount: data.amount,
  };
}

/** query uint2 amount:uint64 recipient:MsgAddress … */
function readTonRequest(block: Block): Request {
  const body = block.body().skip(64 + 2);
  const [amount, recipient] = [body.u64(), body.address()];
  const none = { senderWallet: null, masterWallet: null, asset: null };
  return { ...none, sender: block.source, recipient, master: block.destination, amount };
}

function buildSupply(block: Block, found: Found, context: Context): Block {
  const request = block.is(JETTON_TRANSFER)
    ? readJettonRequest(block as Block<JettonTransfer>)
    : readTonRequest(block);
  const user = found.get('user');
  const success = found.maybe('success');
  const returned = found.maybe('returned') as Block<JettonTransfer> | null;
  // query owner:MsgAddress asset_id:uint256 amount:uint64
  const supplied = success?.body().skip(64);
  supplied?.address();
  const isOwn = request.sender === request.recipient;
  const back = returned?.data.senderWallet === request.masterWallet ? returned : null;
  return context.merge({
    kind: SUPPLY_KIND,
    parts: [block, ...found.blocks],
    failed: success === null,
    data: {
      ...request,
      contract: user.destination,
      assetId: userBody(user).skip(64).big(256),
      amount: supplied ? supplied.skip(256).u64() : request.amount,
      recipientWallet: isOwn ? request.senderWallet : (back?.data.receiverWallet ?? null),
    },
  });
}

/** A call with op 1, or jettons with it in front of their payload. */
function isSupply(block: Block): boolean {
  if (block.is(JETTON_TRANSFER)) return (block.data as JettonTransfer).payloadOp === SUPPLY;
  return block.kind.name === 'call_contract' && block.opcode === SUPPLY;
}

/**
 * evaa_supply (v3-actions 4.6, v3-actions-rules 7): op 1 → 0x11 (after a header) → 0x11a. It fails with 0x11f or with
 * returned jettons.
 */
export const evaaSupply: readonly Matcher[] = [
  {
    name: 'evaa_supply',
    after: ['jetton_mint'],
    pattern: blockThat(isSupply, {
      marks: [JETTON_TRANSFER.name, SUPPLY],
      child: userCall(SUPPLY_USER, {
        label: 'user',
        child: anyOf([
          call(SUPPLY_SUCCESS, { label: 'success', child: commentTransfer }),
          call(SUPPLY_FAIL),
          blockOfKind(JETTON_TRANSFER, { label: 'returned' }),
        ]),
      }),
      build: buildSupply,
    }),
  },
];
