import { sha256OfText } from '../../../ton/hash/sha256.ts';
import { Refusal } from '../body/refusal.ts';
import type { Action } from '../model/action.ts';
import { CALL_CONTRACT, CONTRACT_DEPLOY } from '../tree/basic-blocks.ts';
import type { Block } from '../tree/block.ts';
import type { TraceNode } from '../tree/trace-node.ts';
import { presentBlocks } from '../tree/trace-tree.ts';
import { isFirstGeneration } from './first-generation.ts';
import { toAnswer } from './to-answer.ts';

/** Position of an action: its trace and the actions above it. */
interface Place {
  readonly traceId: string;
  readonly parent: Action | null;
  readonly ancestorTypes: readonly string[];
  /** A ghost's receivers never took part: they are not among its accounts. */
  readonly isGhost: boolean;
}

/** base64 of SHA-256 of the base64 hash of the earliest message, followed by the block's inner name. */
function getActionId({ first, kind }: Block): string {
  return sha256OfText(first.hash + kind.name);
}

/** Calls that come from nowhere or lead nowhere: externals and logs. */
function isLeftOut({ kind, source, destination }: Block): boolean {
  return (kind as unknown) === CALL_CONTRACT && (source === null || destination === null);
}

function bounds(nodes: readonly TraceNode[]) {
  const [first] = nodes as readonly [TraceNode];
  let [startLt, endLt] = [first.startLt, first.transaction.lt];
  let [startUtime, endUtime, mcSeqnoEnd] = [first.startUtime, first.transaction.now, 0];
  for (const node of nodes) {
    const { lt, now, mcSeqno } = node.transaction;
    if (node.startLt < startLt) startLt = node.startLt;
    if (lt > endLt) endLt = lt;
    startUtime = Math.min(startUtime, node.startUtime);
    endUtime = Math.max(endUtime, now);
    mcSeqnoEnd = Math.max(mcSeqnoEnd, mcSeqno);
  }
  return { startLt, endLt, startUtime, endUtime, mcSeqnoEnd };
}

/** The block as an action. */
export function toAction(block: Block, { traceId, parent, ancestorTypes, isGhost }: Place): Action {
  const { nodes, first, kind, data } = block;
  const columns = kind.columns(data, block);
  const { answeredType, details } = toAnswer(block, columns);
  const accounts = new Set<string>();
  const txHashes = new Set<string>();
  const sender = first.parent?.transaction;
  for (const { transaction } of nodes) {
    accounts.add(transaction.account);
    txHashes.add(transaction.hash);
  }
  if (sender) accounts.add(sender.account);
  if (sender) txHashes.add(sender.hash);
  const receivers = isGhost ? [] : [columns.destination, columns.destination_secondary];
  const named = [columns.source, columns.source_secondary, ...receivers, ...(kind.accounts?.(data) ?? [])];
  for (const account of named) if (account) accounts.add(account);
  return {
    type: kind.type,
    answeredType,
    actionId: getActionId(block),
    traceId,
    parentActionId: parent?.actionId ?? null,
    ancestorTypes,
    success: !block.failed,
    ...bounds(nodes),
    accounts: [...accounts],
    txHashes: [...txHashes],
    columns,
    details,
  };
}

/** contract_deploy parts of the blocks at any depth, each once. */
function deploysIn(blocks: readonly Block[]): Block[] {
  const deploys = new Set<Block>();
  const open = [...blocks];
  for (let block = open.pop(); block; block = open.pop()) {
    if ((block.kind as unknown) === CONTRACT_DEPLOY) deploys.add(block);
    open.push(...block.parts);
  }
  return [...deploys];
}

/** Actions of the parts that older clients are shown instead of a block, recursively. */
function toPartActions(block: Block, place: Place): Action[] {
  if (isFirstGeneration(block.kind.name)) return [];
  const actions: Action[] = [];
  for (const part of block.parts) {
    if ((part.kind as unknown) === CONTRACT_DEPLOY || isLeftOut(part)) continue;
    const action = toAction(part, place);
    if (action.actionId !== place.parent?.actionId) actions.push(action);
    const below = { ...place, parent: action, ancestorTypes: [...place.ancestorTypes, action.type] };
    actions.push(...toPartActions(part, below));
  }
  return actions;
}

/**
 * Returns the actions of the current tree: its blocks in walk order, each followed by its parts if the type is newer
 * than v1, then the deployments.
 * @throws Refusal: two actions have one id
 */
export function toActions(roots: readonly Block[], traceId: string, isGhost = false): Action[] {
  const place: Place = { traceId, parent: null, ancestorTypes: [], isGhost };
  const blocks = presentBlocks(roots);
  const actions: Action[] = [];
  for (const block of blocks) {
    if (isLeftOut(block)) continue;
    const action = toAction(block, place);
    actions.push(action, ...toPartActions(block, { ...place, parent: action, ancestorTypes: [action.type] }));
  }
  actions.push(...deploysIn(blocks).map((deploy) => toAction(deploy, place)));
  if (new Set(actions.map(({ actionId }) => actionId)).size !== actions.length)
    throw new Refusal('two actions have one id');
  return actions;
}
