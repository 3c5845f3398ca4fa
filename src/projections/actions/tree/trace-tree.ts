import { Refusal } from '../body/refusal.ts';
import type { Trace, TraceTransaction } from '../model/trace.ts';
import { basicBlock } from './basic-blocks.ts';
import type { Block } from './block.ts';
import { TraceNode } from './trace-node.ts';

/**
 * Nodes of a trace: one per transaction, its children in the order of the out-messages, a log as a leaf. A transaction
 * whose message was not sent in the trace is a root; a complete trace has one.
 */
export function buildNodes({ transactions }: Trace): TraceNode[] {
  const byMessage = new Map<string, TraceTransaction>();
  const sent = new Set<string>();
  for (const transaction of transactions) {
    if (transaction.inMessage) byMessage.set(transaction.inMessage.hash, transaction);
    for (const { hash } of transaction.outMessages) sent.add(hash);
  }
  const roots = transactions
    .filter(({ inMessage }) => !inMessage || !sent.has(inMessage.hash))
    .map((one) => new TraceNode(one, one.inMessage, null));
  const open = [...roots];
  for (let node = open.pop(); node; node = open.pop()) {
    addChildren(node, byMessage);
    open.push(...node.children.filter(({ isLog }) => !isLog));
  }
  return roots;
}

/**
 * A message that was sent and not received yet (a trace still pending) is no node, and one that is listed twice is
 * received once.
 */
function addChildren(node: TraceNode, byMessage: Map<string, TraceTransaction>): void {
  for (const message of node.transaction.outMessages) {
    if (message.destination === null)
      node.children.push(new TraceNode(node.transaction, message, node, true));
    const receiver = byMessage.get(message.hash);
    if (receiver) node.children.push(new TraceNode(receiver, receiver.inMessage, node));
    byMessage.delete(message.hash);
  }
}

/** Blocks that a trace starts as; the array of roots is changed in place when rules merge them. */
export function buildBlocks(roots: readonly TraceNode[]): Block[] {
  const blocks = roots.map(basicBlock);
  const open = [...blocks];
  for (let block = open.pop(); block; block = open.pop()) {
    block.children = block.first.children.map(basicBlock);
    for (const child of block.children) child.previous = block;
    open.push(...block.children);
  }
  return blocks;
}

/**
 * That rules can be tried: the body of every message is there.
 * @throws Refusal
 */
export function checkBodies(roots: readonly TraceNode[]): void {
  const nodes = [...roots];
  for (let i = 0; i < nodes.length; i++) {
    const { message, children } = nodes[i]!;
    if (message && !message.body) throw new Refusal(`message ${message.hash} has no body`);
    nodes.push(...children);
  }
}

/** Every block of a tree that is not merged into another, breadth first. */
export function presentBlocks(roots: readonly Block[]): Block[] {
  const blocks = [...roots];
  for (let i = 0; i < blocks.length; i++) blocks.push(...blocks[i]!.children);
  return blocks;
}
