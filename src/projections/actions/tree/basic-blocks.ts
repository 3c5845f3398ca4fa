import { ENCRYPTED_COMMENT_OP, TEXT_COMMENT_OP } from '../../../ton/messages/text-comment.ts';
import { isRefusal } from '../body/refusal.ts';
import { type Comment, readComment } from '../body/text.ts';
import type { Columns, Fields } from '../model/action.ts';
import type { TraceMessage } from '../model/trace.ts';
import { Block, type BlockKind } from './block.ts';
import type { TraceNode } from './trace-node.ts';

/**
 * Kinds that blocks have before any rule:
 *
 * | node | kind |
 * | --- | --- |
 * | tick-tock transaction | tick_tock |
 * | with source and destination, op none, 0x00000000 or 0x2167da4b | ton_transfer |
 * | any other | call_contract |
 *
 * If the transaction ended `active` and did not start `active` or `frozen`, a contract_deploy is a part of the block.
 */

function messageColumns({ source, destination, value, extraCurrencies, opcode }: TraceMessage): Columns {
  return { source, destination, value, opcode, value_extra_currencies: extraCurrencies };
}

/** Op as the API writes it: `0x` and eight digits. */
function opcodeText(opcode: number | null): string | undefined {
  return opcode === null ? undefined : `0x${opcode.toString(16).padStart(8, '0')}`;
}

/** Leaves out what is null: fields that the API omits. */
function present<T>(value: T | null): T | undefined {
  return value ?? undefined;
}

function callDetails({ opcode, source, destination, value }: TraceMessage): Fields {
  return {
    opcode: opcodeText(opcode),
    source: present(source),
    destination: present(destination),
    value: present(value),
  };
}

export const CALL_CONTRACT: BlockKind<TraceMessage> = {
  name: 'call_contract',
  type: 'call_contract',
  columns: messageColumns,
  details: (message) => ({ ...callDetails(message), extra_currencies: message.extraCurrencies }),
};

export const CONTRACT_DEPLOY: BlockKind<TraceMessage> = {
  name: 'contract_deploy',
  type: 'contract_deploy',
  columns: messageColumns,
  details: callDetails,
};

/** Plain transfer of TON, with or without a comment. */
export interface TonTransfer {
  readonly message: TraceMessage;
  readonly comment: Comment;
}

export const TON_TRANSFER: BlockKind<TonTransfer> = {
  name: 'ton_transfer',
  type: 'ton_transfer',
  columns: ({ message, comment }) => ({
    source: message.source,
    destination: message.destination,
    value: message.value,
    value_extra_currencies: message.extraCurrencies,
    ton_transfer_data: { content: comment.text, encrypted: comment.isEncrypted },
  }),
  details: ({ message, comment }) => ({
    source: message.source,
    destination: message.destination,
    value: message.value,
    value_extra_currencies: message.extraCurrencies,
    comment: comment.text,
    encrypted: comment.isEncrypted,
  }),
};

export const TICK_TOCK: BlockKind<string> = {
  name: 'tick_tock',
  type: 'tick_tock',
  columns: (account) => ({ source: account }),
  details: () => ({}),
};

const hasNoExtraCurrencies = ({ extraCurrencies }: TraceMessage): boolean =>
  Object.keys(extraCurrencies).length === 0;

/** Aborted, unless the message calls without sending anything: nothing was lost then. */
function callFailed(message: TraceMessage, node: TraceNode): boolean {
  const isEmpty = !message.value && hasNoExtraCurrencies(message);
  return node.failed && !(message.opcode !== null && isEmpty);
}

/** Aborted, and the money did not stay: a transfer to an account without code is no failure. */
function transferFailed(message: TraceMessage, node: TraceNode): boolean {
  if (!node.failed) return false;
  const { endStatus, skipReason } = node.transaction;
  return message.bounce === true || !(endStatus === 'uninit' || skipReason === 'no_gas');
}

function isTransfer({ source, destination, opcode }: TraceMessage): boolean {
  if (source === null || destination === null) return false;
  return opcode === null || opcode === TEXT_COMMENT_OP || opcode === ENCRYPTED_COMMENT_OP;
}

function buildDeploy(node: TraceNode): Block[] {
  const { message } = node;
  if (message === null || !node.deploys || node.transaction.originalStatus === 'frozen') return [];
  const deploy = { kind: CONTRACT_DEPLOY, data: message, failed: node.failed, nodes: [node], parts: [] };
  return [new Block({ ...deploy, isMerged: false }) as Block];
}

/** A comment that cannot be read, or has no text, is none: the transfer is one all the same. */
function parseComment(node: TraceNode): Comment {
  try {
    const comment = readComment(node.body());
    return { ...comment, text: comment.text || null };
  } catch (error) {
    if (isRefusal(error)) return { text: null, isEncrypted: false };
    throw error;
  }
}

/** The block that a node starts as. */
export function basicBlock(node: TraceNode): Block {
  return blockWith(node, buildDeploy(node), false);
}

/** The block of a message that was meant to be sent and was not. */
export function failedBlock(node: TraceNode): Block {
  return blockWith(node, [], true);
}

function blockWith(node: TraceNode, parts: readonly Block[], isFailed: boolean): Block {
  const { message } = node;
  const common = { nodes: [node], parts, isMerged: false };
  if (message === null) {
    const data = node.transaction.account;
    return new Block({ ...common, kind: TICK_TOCK, data, failed: node.failed }) as Block;
  }
  if (!isTransfer(message))
    return new Block({
      ...common,
      kind: CALL_CONTRACT,
      data: message,
      failed: isFailed || callFailed(message, node),
    }) as Block;
  return new Block({
    ...common,
    kind: TON_TRANSFER,
    data: { message, comment: parseComment(node) },
    failed: isFailed || transferFailed(message, node),
  }) as Block;
}
