import type { Body } from './body/body.ts';
import { isRefusal } from './body/refusal.ts';
import { readSentMessage } from './body/sent-message.ts';
import { ghostTransfers } from './families/jetton/jetton-transfer.ts';
import { Context, type Rules } from './match/context.ts';
import { runMatchers } from './match/walk.ts';
import type { Action } from './model/action.ts';
import type { ContractFacts } from './model/contract-facts.ts';
import type { Trace, TraceMessage, TraceTransaction } from './model/trace.ts';
import { toActions } from './out/to-actions.ts';
import { failedBlock } from './tree/basic-blocks.ts';
import { TraceNode } from './tree/trace-node.ts';

/** signature, wallet id, valid until, seqno */
const V3_HEAD = 512 + 32 + 32 + 32;
const V4_OP = 8;
/** op, wallet id, valid until, seqno */
const V5_HEAD = 4 * 32;
/** A list of actions longer than this is refused by every wallet. */
const MAX_MESSAGES = 255;

/** Messages of a v3 body: every reference is one. A v4 body has one more byte. */
function referencesAfter(body: Body, bits: number): Body[] {
  body.skip(bits);
  const cells: Body[] = [];
  while (body.refsLeft > 0) cells.push(body.ref());
  return cells;
}

/** Messages of a v5r1 body: a list of actions, the last one first. */
function actionList(body: Body): Body[] {
  const cells: Body[] = [];
  for (let list = body.skip(V5_HEAD).maybeRef(); list && list.bitsLeft > 0; ) {
    const previous = list.ref();
    cells.push(list.ref());
    if (cells.length > MAX_MESSAGES) break;
    list = previous;
  }
  return cells;
}

const FORMS: readonly ((body: Body) => Body[])[] = [
  (body) => referencesAfter(body, V3_HEAD),
  (body) => referencesAfter(body, V3_HEAD + V4_OP),
  actionList,
];

/** Messages by the first form in which all of them can be read; bits left over do not matter. */
function intendedMessages(node: TraceNode): TraceMessage[] {
  for (const form of FORMS)
    try {
      const cells = form(node.body());
      return cells.flatMap((cell, place) => intendedMessage(cell, place, node.transaction) ?? []);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  return [];
}

/** The message that a wallet was asked for, as if the transaction had sent it; null if it is not internal. */
function intendedMessage(
  cell: Body,
  place: number,
  { account, lt, now }: TraceTransaction,
): TraceMessage | null {
  const sent = readSentMessage(cell);
  if (!sent) return null;
  // Two equal messages of one body are two: their place is part of the name.
  const hash = new TextEncoder().encode(`${cell.hash().toBase64()}${place}`).toBase64();
  return {
    hash,
    source: account,
    destination: sent.destination,
    value: sent.value,
    bounce: sent.bounce,
    extraCurrencies: {},
    createdLt: lt,
    createdAt: now,
    opcode: sent.body.peekOp(),
    body: sent.body.toBytes(),
    stateInit: null,
  };
}

/**
 * Actions that a wallet was asked for by an external message and did not send: transfers and calls without success.
 * Only the rule of jetton transfers runs. Empty for traces of any other form.
 */
export function ghostActions(root: TraceNode, trace: Trace, facts: ContractFacts, rules: Rules): Action[] {
  const { transaction, message } = root;
  if (trace.transactions.length !== 1 || root.children.length > 0) return [];
  if (message === null || message.source !== null) return [];
  const nodes = intendedMessages(root).map((one) => new TraceNode(transaction, one, null));
  const context = new Context(trace, nodes.map(failedBlock), facts, rules);
  runMatchers(ghostTransfers, context);
  return toActions(context.roots, trace.traceId, true);
}
