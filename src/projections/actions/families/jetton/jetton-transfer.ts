import type { JettonWalletFact } from '../../../../ton/contracts/account-facts.ts';
import {
  INTERNAL_TRANSFER_OP,
  type InternalTransfer,
  loadInternalTransfer,
} from '../../../../ton/messages/jetton-internal-transfer.ts';
import { JETTON_NOTIFICATION_OP } from '../../../../ton/messages/jetton-notification.ts';
import { JETTON_TRANSFER_OP } from '../../../../ton/messages/jetton-transfer.ts';
import { demand, isRefusal, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { call, optional, type Pattern } from '../../match/pattern.ts';
import type { Columns, Fields } from '../../model/action.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { creditedAmount, notification } from './credited-amount.ts';
import { payloadComment, readTransferRequest, type TransferRequest } from './jetton-messages.ts';

/** A transfer of jettons between two owners, as rules of exchanges and others read it. */
export interface JettonTransfer {
  /** Jetton master, including the master of proxy-TON. */
  readonly asset: string | null;
  readonly sender: string | null;
  /** null in the answer of the proxy-TON form. */
  readonly senderWallet: string | null;
  readonly receiver: string | null;
  readonly receiverWallet: string | null;
  /** The credited amount, or the requested one if the internal transfer is unreadable. */
  readonly amount: bigint;
  /** TON for the notification as it arrived, or as requested if that is unknown. */
  readonly forwardAmount: bigint;
  readonly request: TransferRequest;
  /** Op of the forward payload. */
  readonly payloadOp: number | null;
  /** Whether the tokens are proxy-TON that travel without an internal transfer. */
  readonly isProxyTon: boolean;
}

/** Masters of proxy-TON: jettons that represent TON in exchanges. */
const PROXY_TON_MASTERS: ReadonlySet<string> = new Set([
  '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
  '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
  '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
]);

/** An asset as most exchanges show it: the master, null for TON and proxy-TON. */
export function shownAsset(master: string | null): string | null {
  return master === null || PROXY_TON_MASTERS.has(master) ? null : master;
}

function columns({ request, ...one }: JettonTransfer): Columns {
  const comment = payloadComment(request.forwardPayload);
  return {
    source: one.sender,
    source_secondary: one.senderWallet,
    destination: one.receiver,
    destination_secondary: one.receiverWallet,
    asset: one.asset,
    amount: one.amount,
    jetton_transfer_data: {
      query_id: request.queryId,
      response_destination: request.responseDestination,
      forward_amount: one.forwardAmount,
      custom_payload: request.customPayload,
      forward_payload: request.forwardPayload?.toBoc() ?? null,
      comment: comment.text,
      is_encrypted_comment: comment.isEncrypted,
    },
  };
}

function details(one: JettonTransfer, block: Block<JettonTransfer>): Fields {
  return {
    asset: one.asset,
    sender: one.sender,
    receiver: one.receiver,
    sender_jetton_wallet: one.senderWallet,
    receiver_jetton_wallet: one.receiverWallet,
    amount: one.amount,
    ...block.kind.columns(one, block).jetton_transfer_data,
  };
}

export const JETTON_TRANSFER: BlockKind<JettonTransfer> = {
  name: 'jetton_transfer',
  type: 'jetton_transfer',
  columns,
  details,
};

/** null if the body does not follow TEP-74. */
function parseInternalTransfer(block: Block): InternalTransfer | null {
  try {
    return loadInternalTransfer(block.body().slice);
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** A jetton wallet on the receiving side, with its message. */
interface Receiver {
  readonly received: Block;
  readonly owner: string | null;
  readonly jetton: string;
}

/**
 * The receiving wallet. If a wallet of its own code sends several internal transfers (a fee, for example), it is the one
 * whose owner the request names. A wallet that refused its first transfer has no state: the sender's wallet, if its code
 * is custom, names the jetton.
 * @throws Refusal the wallet is unknown
 */
function findReceiver(block: Block, found: Found, request: TransferRequest, context: Context): Receiver {
  const named = found
    .all('received')
    .find((one) => context.jettonWallet(one.destination)?.owner === request.destination);
  const received = named ?? found.get('received');
  const wallet = context.jettonWallet(received.destination);
  if (wallet) return { received, ...wallet };
  const sender = received.aborted ? customWallet(block, context) : null;
  const { jetton } = needed(sender, `jetton wallet ${received.destination}`);
  return { received, owner: request.destination, jetton };
}

/** The sender's own wallet if its code is custom, or null. */
function customWallet(block: Block, context: Context): JettonWalletFact | null {
  const wallet = context.isCustomCode(block.destination) ? context.jettonWallet(block.destination) : null;
  return wallet?.owner === block.source ? wallet : null;
}

function buildTransfer(block: Block, found: Found, context: Context): Block {
  const request = readTransferRequest(block.body());
  const { received, owner, jetton } = findReceiver(block, found, request, context);
  const internal = parseInternalTransfer(received);
  return context.merge({
    kind: JETTON_TRANSFER,
    parts: [block, ...found.blocks],
    failed: block.aborted || received.aborted,
    data: {
      asset: jetton,
      sender: block.source,
      senderWallet: block.destination,
      receiver: owner,
      receiverWallet: received.destination,
      amount: creditedAmount(received, found, context) ?? internal?.amount ?? request.amount,
      forwardAmount: internal?.forwardAmount ?? request.forwardAmount,
      request,
      payloadOp: request.forwardPayload?.peekOp() ?? null,
      isProxyTon: false,
    },
  });
}

/** A transfer that a wallet under a custom code refused: no message reached a receiving wallet. */
function buildRefused(block: Block, _found: Found, context: Context): Block {
  demand(block.aborted, 'the wallet did not refuse the transfer');
  needed(customWallet(block, context), `custom wallet ${block.destination} of ${block.source}`);
  return failedTransfer(block, context);
}

function buildProxyTransfer(block: Block, found: Found, context: Context): Block {
  const wallet = context.neededWallet(block.destination);
  demand(PROXY_TON_MASTERS.has(wallet.jetton), 'the wallet is not of proxy-TON');
  const request = readTransferRequest(block.body());
  return context.merge({
    kind: JETTON_TRANSFER,
    parts: [block, ...found.blocks],
    failed: block.aborted,
    data: {
      asset: wallet.jetton,
      sender: block.source,
      senderWallet: null,
      receiver: request.destination,
      receiverWallet: null,
      amount: request.amount,
      forwardAmount: request.forwardAmount,
      request,
      payloadOp: request.forwardPayload?.peekOp() ?? null,
      isProxyTon: true,
    },
  });
}

/** A transfer that was asked for and not sent. */
function failedTransfer(block: Block, context: Context): Block {
  const request = readTransferRequest(block.body());
  return context.merge({
    kind: JETTON_TRANSFER,
    parts: [block],
    failed: true,
    data: {
      asset: context.jettonWallet(block.destination)?.jetton ?? null,
      sender: block.source,
      senderWallet: block.destination,
      receiver: request.destination,
      receiverWallet: null,
      amount: request.amount,
      forwardAmount: request.forwardAmount,
      request,
      payloadOp: request.forwardPayload?.peekOp() ?? null,
      isProxyTon: false,
    },
  });
}

const buildGhost = (block: Block, _found: Found, context: Context): Block => failedTransfer(block, context);

/** The one rule for messages that a wallet was asked for and did not send: any 0x0f8a7ea5 is a transfer that failed. */
export const ghostTransfers: readonly Matcher[] = [
  { name: 'ghost_jetton_transfer', pattern: call(JETTON_TRANSFER_OP, { build: buildGhost }) },
];

/** Internal transfer to the receiving wallet, with the notification that it may send on. */
const received = call(INTERNAL_TRANSFER_OP, {
  label: 'received',
  child: optional(notification),
});

/** A transfer that no rule has merged yet, as its own block. */
export const jettonTransfer: Pattern = call(JETTON_TRANSFER_OP, { child: received, build: buildTransfer });

/**
 * jetton_transfer: 0x0f8a7ea5 → 0x178d4519 (→ 0x7362d09c). The receiving wallet must be known: its registered owner is
 * the receiver, whatever the request contains. Without the internal transfer the call stays a call, except for wallets
 * of proxy-TON, and wallets under a custom code that refused the transfer.
 */
export const jettonTransfers: readonly Matcher[] = [
  {
    name: 'jetton_transfer',
    pattern: jettonTransfer,
  },
  {
    name: 'proxy_ton_transfer',
    after: ['jetton_transfer'],
    pattern: call(JETTON_TRANSFER_OP, {
      child: optional(call(JETTON_NOTIFICATION_OP)),
      build: buildProxyTransfer,
    }),
  },
  {
    name: 'refused_jetton_transfer',
    after: ['proxy_ton_transfer'],
    pattern: call(JETTON_TRANSFER_OP, { build: buildRefused }),
  },
];
