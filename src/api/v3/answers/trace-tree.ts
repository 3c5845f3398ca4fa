import { toBase64 } from '../../../ton/hash/base64.ts';
import type { TransactionRow } from '../../entities/transactions/model.ts';
import type { TraceNodeAnswer } from '../schemas/trace.ts';

type Node = Pick<TransactionRow, 'hash' | 'messages'>;

/** The tree of a trace, and whether a transaction is left out of it since its parent is not there. */
export interface TraceTree {
  /** Absent without transactions. */
  readonly root?: TraceNodeAnswer;
  readonly lacksNodes: boolean;
}

/** TraceNode of v3-models.md 7, of transactions by lt, then account; the root first. */
export function traceTree(transactions: readonly Node[]): TraceTree {
  const nodes = transactions.map((one) => ({ one, children: [] as TraceNodeAnswer[], answer: toNode(one) }));
  const senders = new Map(
    nodes.flatMap((node) =>
      node.one.messages
        .filter(({ direction }) => direction === 'out')
        .map(({ hash }) => [toBase64(hash), node] as const),
    ),
  );
  let lacksNodes = false;
  for (const { answer } of nodes.slice(1)) {
    const sender = senders.get(answer.in_msg_hash ?? '');
    if (sender) sender.children.push(answer);
    else lacksNodes = true;
  }
  for (const { one, children, answer } of nodes) {
    const isLeaf = one.messages.every(({ direction }) => direction === 'in');
    // Outgoing messages without a receiving transaction.
    answer.children = children.length > 0 || isLeaf ? children : null;
  }
  const [first] = nodes;
  return first ? { root: first.answer, lacksNodes } : { lacksNodes };
}

function toNode({ hash, messages }: Node): { -readonly [K in keyof TraceNodeAnswer]: TraceNodeAnswer[K] } {
  const incoming = messages.find(({ direction }) => direction === 'in');
  return {
    tx_hash: hash,
    ...(incoming ? { in_msg_hash: toBase64(incoming.hash) } : {}),
    children: null,
  };
}
