import { loadOrderedMessages } from '../../ton/messages/wallet-request.ts';
import { Body } from './body/body.ts';
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

/** Messages by the first layout of requests in which all of them can be read; bits left over do not matter. */
function intendedMessages(node: TraceNode): TraceMessage[] {
  for (const load of Object.values(loadOrderedMessages))
    try {
      const { slice } = node.body();
      const cells = load(slice).map((cell) => Body.ofPart(slice.boc, { cell }));
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
