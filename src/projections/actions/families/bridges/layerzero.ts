import type { Body } from '../../body/body.ts';
import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockOfKind, call, optional } from '../../match/pattern.ts';
import type { Columns, Fields } from '../../model/action.ts';
import { TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { JETTON_TRANSFER, type JettonTransfer } from '../jetton/jetton-transfer.ts';
import { readPacket, readSendObject, readVerifyStatus, shownNumbers } from './layerzero-cells.ts';

/** Emitted by contracts for listeners: a log, or a call without an answer. */
const EVENT = 0xe33b9873;

const transfer = blockOfKind(TON_TRANSFER);
const event = call(EVENT);
const answered = { children: [optional(event), optional(transfer)] };

/** The cell at the end of a path of first references. */
function along(body: Body, steps: number): Body {
  let cell = body;
  for (let step = 0; step < steps; step++) cell = cell.ref();
  return cell;
}

/** A message that left for another chain. */
interface Send {
  readonly initiator: string | null;
  readonly send: Fields;
  readonly packet: Fields;
}

const sendObjects = ({ send, packet }: Send) => ({
  layerzero_send_data: send,
  layerzero_packet_data: packet,
});

const shownObjects = ({ send, packet }: Send): Fields => ({
  layerzero_send_data: shownNumbers(send),
  layerzero_packet_data: shownNumbers(packet),
});

const SEND: BlockKind<Send> = {
  name: 'layerzero_send',
  type: 'layerzero_send',
  columns: (one): Columns => ({ source: one.initiator, ...sendObjects(one) }),
  details: (one) => ({ initiator: one.initiator, ...shownObjects(one) }),
};

function buildSend(block: Block, found: Found, context: Context): Block {
  const { packet, fields } = readSendObject(along(found.get('sent').body(), 3));
  return context.merge({
    kind: SEND,
    parts: [block, ...found.blocks],
    data: {
      initiator: block.source,
      packet: packet.fields,
      send: {
        ...fields,
        uln: found.get('uln').destination,
        endpoint: block.destination,
        channel: found.get('channel').destination,
      },
    },
  });
}

/** A message that carried tokens. */
interface SendTokens extends Send {
  readonly transfer: JettonTransfer;
}

const SEND_TOKENS: BlockKind<SendTokens> = {
  name: 'layerzero_send_tokens',
  type: 'layerzero_send_tokens',
  columns: (one): Columns => ({
    source: one.transfer.sender,
    source_secondary: one.transfer.senderWallet,
    destination: one.transfer.receiver,
    destination_secondary: one.transfer.receiverWallet,
    asset: one.transfer.asset,
    amount: one.transfer.amount,
    ...sendObjects(one),
  }),
  details: (one) => ({
    sender: one.transfer.sender,
    sender_wallet: one.transfer.senderWallet,
    oapp: one.transfer.receiver,
    oapp_wallet: one.transfer.receiverWallet,
    asset: one.transfer.asset,
    amount: one.transfer.amount,
    ...shownObjects(one),
  }),
};

function buildSendTokens(block: Block, found: Found, context: Context): Block {
  const tokens = found.get('tokens') as Block<JettonTransfer>;
  return context.merge({
    kind: SEND_TOKENS,
    parts: [block, ...found.blocks],
    failed: block.failed,
    data: { ...(block as Block<Send>).data, transfer: tokens.data },
  });
}

/** A message that arrived from another chain. */
interface Receive {
  readonly sender: string | null;
  readonly oapp: string | null;
  readonly channel: string | null;
  readonly packet: Fields;
}

const RECEIVE: BlockKind<Receive> = {
  name: 'layerzero_receive',
  type: 'layerzero_receive',
  columns: ({ sender, oapp, channel, packet }) => ({
    source: sender,
    destination: oapp,
    destination_secondary: channel,
    layerzero_packet_data: packet,
  }),
  details: ({ sender, oapp, channel, packet }) => ({
    sender,
    oapp,
    channel,
    layerzero_packet_data: shownNumbers(packet),
  }),
};

function buildReceive(block: Block, found: Found, context: Context): Block {
  const delivery = found.get('delivery');
  const packet = readPacket(along(delivery.body(), 2));
  const account = needed(delivery.destination, 'the application').slice(2).toLowerCase();
  demand(account === packet.dstOapp.slice(2), 'the packet is for the application');
  return context.merge({
    kind: RECEIVE,
    parts: [block, ...found.blocks],
    data: {
      sender: block.source,
      oapp: delivery.destination,
      channel: delivery.source,
      packet: packet.fields,
    },
  });
}

/** A message that verifiers have agreed on. */
interface Commit {
  readonly sender: string | null;
  readonly endpoint: string | null;
  readonly uln: string | null;
  readonly channel: string | null;
  readonly msglib: string | null;
  readonly packet: Fields;
}

const COMMIT: BlockKind<Commit> = {
  name: 'layerzero_commit_packet',
  type: 'layerzero_commit_packet',
  columns: (one): Columns => ({
    source: one.sender,
    source_secondary: one.endpoint,
    destination: one.uln,
    destination_secondary: one.uln,
    asset: one.channel,
    asset_secondary: one.msglib,
    layerzero_packet_data: one.packet,
  }),
  details: (one) => ({
    sender: one.sender,
    endpoint: one.endpoint,
    uln: one.uln,
    uln_connection: one.uln,
    channel: one.channel,
    msglib_connection: one.msglib,
    layerzero_packet_data: shownNumbers(one.packet),
  }),
};

function buildCommit(block: Block, found: Found, context: Context): Block {
  const committed = found.get('committed');
  return context.merge({
    kind: COMMIT,
    parts: [block, ...found.blocks],
    data: {
      sender: block.source,
      endpoint: found.get('endpoint').destination,
      uln: found.get('uln').destination,
      channel: committed.destination,
      msglib: found.get('msglib').destination,
      packet: readPacket(along(committed.body(), 2)).fields,
    },
  });
}

const VERIFY: BlockKind<Fields> = {
  name: 'layerzero_dvn_verify',
  type: 'layerzero_dvn_verify',
  columns: ({ initiator, ...rest }): Columns => ({
    source: initiator as string | null,
    layerzero_dvn_verify_data: rest,
  }),
  details: shownNumbers,
};

function buildVerify(block: Block, found: Found, context: Context): Block {
  return context.merge({
    kind: VERIFY,
    parts: [block, ...found.blocks],
    data: {
      initiator: block.source,
      ...readVerifyStatus(along(found.get('verified').body(), 2)),
      dvn: block.destination,
      proxy: found.get('proxy').destination,
      uln: found.get('uln').destination,
      uln_connection: found.get('connection').destination,
    },
  });
}

const sendChain = call(0x536feb09, {
  label: 'channel',
  child: call(0x4002b790, {
    child: call(0x5de68393, {
      label: 'uln',
      child: call(0x421c1a25, {
        children: [
          event,
          ...Array.from({ length: 5 }, () => optional(transfer)),
          call(0xa2b5fbae, { label: 'sent', ...answered }),
        ],
      }),
    }),
  }),
});

const receiveChain = call(0x97df404c, {
  child: call(0xb7680bc6, {
    child: call(0x0c7b8418, {
      label: 'delivery',
      children: [optional(event), call(0xcaae25a1, answered)],
    }),
  }),
});

const commitChain = call(0xf9d37b80, {
  label: 'uln',
  child: call(0x5dab749a, {
    label: 'endpoint',
    child: call(0x5388cd88, {
      label: 'committed',
      children: [optional(event), optional(call(0x5e178f33, { label: 'msglib', child: optional(transfer) }))],
    }),
  }),
});

const verifyChain = call(0x09f047d9, {
  label: 'proxy',
  child: call(0x994aaf4e, {
    label: 'uln',
    child: call(0x4ec8f80a, {
      label: 'connection',
      children: [
        optional(event),
        optional(call(0x3cb38090, { label: 'verified', child: optional(transfer) })),
      ],
    }),
  }),
});

/**
 * LayerZero (v3-actions 4.9, v3-actions-rules 10): chains of calls between application, endpoint, channel, message library
 * and verifiers; what they carry lies in cells whose headers are checked.
 */
export const layerzero: readonly Matcher[] = [
  { name: 'layerzero_send', pattern: call(0xdd4ea3b4, { child: sendChain, build: buildSend }) },
  {
    name: 'layerzero_send_tokens',
    after: ['layerzero_send', 'proxy_ton_transfer'],
    pattern: blockOfKind(SEND, {
      parent: blockOfKind(JETTON_TRANSFER, { label: 'tokens', child: event }),
      build: buildSendTokens,
    }),
  },
  {
    name: 'layerzero_receive',
    pattern: call(0x22f3ac09, { children: [optional(transfer), receiveChain], build: buildReceive }),
  },
  { name: 'layerzero_commit_packet', pattern: call(0x28b97077, { child: commitChain, build: buildCommit }) },
  { name: 'layerzero_dvn_verify', pattern: call(0xa0d51a8d, { child: verifyChain, build: buildVerify }) },
];
