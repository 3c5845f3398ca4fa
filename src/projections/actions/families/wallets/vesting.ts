import { Body } from '../../body/body.ts';
import { needed } from '../../body/refusal.ts';
import { readSentMessage, type SentMessage } from '../../body/sent-message.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { call } from '../../match/pattern.ts';
import type { TraceMessage } from '../../model/trace.ts';
import type { Block, BlockKind } from '../../tree/block.ts';

/** Ops of ton-blockchain/vesting-contract. */
const SEND = 0xa7733acd;
const SEND_ANSWER = 0xf7733acd;
const ADD_WHITELIST = 0x7258a69b;
const ADD_WHITELIST_ANSWER = 0xf258a69b;

/** A message that the vesting contract was asked to send. */
interface VestingSend {
  readonly source: string | null;
  readonly vesting: string | null;
  readonly destination: string | null;
  readonly amount: bigint;
  readonly queryId: bigint;
  /** Bag of cells in base64. */
  readonly message: string;
}

const VESTING_SEND: BlockKind<VestingSend> = {
  name: 'vesting_send_message',
  type: 'vesting_send_message',
  columns: ({ source, vesting, destination, amount, queryId, message }) => ({
    source,
    destination: vesting,
    destination_secondary: destination,
    amount,
    vesting_send_message_data: { query_id: queryId, message_boc: message },
  }),
  details: ({ source, vesting, destination, amount, queryId, message }) => ({
    query_id: queryId,
    message_boc: message,
    source,
    vesting,
    destination,
    amount,
  }),
};

/** True if a sent message is the requested one: same body, or same value if the body cannot be hashed. */
function isWanted(sent: TraceMessage, wanted: SentMessage): boolean {
  if (sent.destination !== wanted.destination) return false;
  if (!sent.body) return sent.value === wanted.value;
  return Body.of(sent.body).hash().toBase64() === wanted.body.hash().toBase64();
}

/** Since 1.3 a message that the contract did not send makes the action fail. */
function wasLost(block: Block, wanted: SentMessage, { rules }: Context): boolean {
  return (
    rules.release === '1.3' && !block.first.transaction.outMessages.some((sent) => isWanted(sent, wanted))
  );
}

/** send_message#a7733acd query mode:uint8 ^message */
function buildSend(block: Block, found: Found, context: Context): Block {
  const body = block.body();
  const queryId = body.u64();
  const message = body.skip(8).ref();
  const wanted = needed(readSentMessage(message), 'an internal message');
  return context.merge({
    kind: VESTING_SEND,
    parts: [block, ...found.blocks],
    failed: wasLost(block, wanted, context),
    data: {
      source: block.source,
      vesting: block.destination,
      destination: wanted.destination,
      amount: wanted.value,
      queryId,
      message: message.toPlainBoc(),
    },
  });
}

/** Accounts that a vesting contract may send to from now on. */
interface WhitelistAddition {
  readonly source: string | null;
  readonly vesting: string | null;
  readonly queryId: bigint;
  readonly added: readonly string[];
}

const VESTING_ADD_WHITELIST: BlockKind<WhitelistAddition> = {
  name: 'vesting_add_whitelist',
  type: 'vesting_add_whitelist',
  columns: ({ source, vesting, queryId, added }) => ({
    source,
    destination: vesting,
    vesting_add_whitelist_data: { query_id: queryId, accounts_added: added },
  }),
  details: ({ source, vesting, queryId, added }) => ({
    query_id: queryId,
    accounts_added: added,
    source,
    vesting,
  }),
};

/** An address, then the next one in the reference. */
function readAddresses(start: Body): string[] {
  const addresses: string[] = [];
  for (let body: Body | null = start; body; body = body.refsLeft > 0 ? body.ref() : null) {
    const address = body.address();
    if (address !== null) addresses.push(address);
  }
  return addresses;
}

/** add_whitelist#7258a69b query address ^next */
function buildWhitelist(block: Block, found: Found, context: Context): Block {
  const body = block.body();
  const queryId = body.u64();
  return context.merge({
    kind: VESTING_ADD_WHITELIST,
    parts: [block, ...found.blocks],
    data: { source: block.source, vesting: block.destination, queryId, added: readAddresses(body) },
  });
}

/**
 * vesting_send_message: 0xa7733acd answered by 0xf7733acd. vesting_add_whitelist: 0x7258a69b answered by 0xf258a69b. The
 * start and its answer are merged; never failed before release 1.3.
 */
export const vesting: readonly Matcher[] = [
  {
    name: 'vesting_send_message',
    after: ['multisig_execute'],
    before: ['jetton_transfer'],
    pattern: call(SEND, { child: call(SEND_ANSWER, { excesses: 'leave' }), build: buildSend }),
  },
  {
    name: 'vesting_add_whitelist',
    after: ['vesting_send_message'],
    before: ['jetton_transfer'],
    pattern: call(ADD_WHITELIST, {
      child: call(ADD_WHITELIST_ANSWER, { excesses: 'leave' }),
      build: buildWhitelist,
    }),
  },
];
