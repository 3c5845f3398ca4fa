import type { Boc } from '../../ton/boc/boc.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { commentText } from '../../ton/contracts/comment-text.ts';
import { readSnake } from '../../ton/tlb/snake-text.ts';
import type { MessageFact } from './action-fact.ts';
import { openBody, readAddress } from './message-slice.ts';

/** A purchase or sale of jettons for TON on a bonding curve. Addresses are raw text; empty for none. */
export interface CurveTrade {
  readonly kind: 'trade';
  readonly isBuy: boolean;
  readonly trader: string;
  /** Nanotons that the trader pays or gets. */
  readonly ton: bigint;
  readonly jettons: bigint;
  readonly referral?: string;
  readonly platformTag?: string;
}

/** The liquidity leaves the curve for a DEX. */
export interface Launch {
  readonly kind: 'launch';
  readonly trader: string;
}

export type LaunchpadEvent = CurveTrade | Launch;

/** How a launchpad logs. The emitter of the log is the jetton master, which is the pool too. */
export interface Launchpad {
  readonly project: string;
  /** Codes of its masters, base64; absent if the view knows them by other facts. */
  readonly codes?: ReadonlySet<string>;
  /** Reads a log. @throws CellError, BocError */
  readonly read: (log: MessageFact) => readonly LaunchpadEvent[];
}

const TON_FUN = 'ton.fun';
const BLUM = 'blum';

/** Codes of masters of GasPump, as the public data lake lists them. */
const GASPUMP_CODES: ReadonlySet<string> = new Set([
  '6ox2FGgwSndqH0lxBiss6BMBM2reNTNNKPu5yjNVTRc=',
  'zHJFV4ogLC+2/uN1jCQZBs9IA3xEaUEF5kqRdWjDOlw=',
  'epVAPFfHhSCA8fFWbj5rWnMUNwUah+hGTl0yl3+VaVg=',
  's8xEFRVKnzs0e0+nHdDo1N9iOmaGHMnQexA8lf1elkU=',
  'r5eJZ7VurJARfQResj0zCr6kG6QH7tauAs0F2SGuG6U=',
  'xw8j8tT8ut2DfkUFvG62n14weRqpu/SwiITp5nBt4U4=',
]);

/** Launchpads by the opcode of their logs. Source of opcodes and layouts: the public data lake, the SDK of ton.fun. */
export const LAUNCHPAD_LOGS: ReadonlyMap<number, Launchpad> = new Map<number, Launchpad>([
  [0xcd78325d, { project: TON_FUN, read: (log) => [readCurve(log, true)] }],
  [0x5e97d116, { project: TON_FUN, read: (log) => [readCurve(log, false)] }],
  [0x0f6ab54f, { project: TON_FUN, read: readLaunch }],
  [0xceac8af4, { project: BLUM, read: (log) => [readCurve(log, true)] }],
  [0xef2e2def, { project: BLUM, read: (log) => [readCurve(log, false)] }],
  [0x30c7219b, { project: BLUM, read: readLaunch }],
  ...[0x67617301, 0x67617302].map(
    (op) => [op, { project: 'gaspump', codes: GASPUMP_CODES, read: readGaspumpBuy }] as const,
  ),
  [0x67617303, { project: 'gaspump', codes: GASPUMP_CODES, read: readGaspumpSale }],
  [0xace8e777, { project: 'memeslab', read: (log) => [readMemeslab(log, true)] }],
  [0xace8e778, { project: 'memeslab', read: (log) => [readMemeslab(log, false)] }],
  [0xace8e779, { project: 'memeslab', read: readMemeslabListing }],
]);

/** log trader:MsgAddress ton:Coins jettons:Coins new_supply:Coins collected_ton:Coins referral:(Maybe ^Cell) */
function readCurve(log: MessageFact, isBuy: boolean): CurveTrade {
  const slice = openBody(log);
  const trader = readAddress(slice);
  const [ton, jettons] = [slice.coins(), slice.coins()];
  slice.coins();
  slice.coins();
  const terms = slice.maybeRef();
  return { kind: 'trade', isBuy, trader, ton, jettons, ...(terms >= 0 && readReferral(slice.boc, terms)) };
}

/**
 * ref_v1#f7ecea4c partner:MsgAddress platform_tag:MsgAddress extra_tag:MsgAddress, the tags may be left out; or #63e0e26d and a text.
 */
function readReferral(boc: Boc, cell: number): Pick<CurveTrade, 'referral' | 'platformTag'> {
  const terms = new CellSlice(boc, cell);
  if (terms.bitsLeft < 32) return {};
  const version = terms.uint(32);
  if (version === 0x63e0e26d) return { referral: commentText(readSnake(boc, cell, 32) ?? new Uint8Array()) };
  if (version !== 0xf7ecea4c) return {};
  const referral = readAddress(terms);
  return { referral, ...(terms.bitsLeft > 0 && { platformTag: readAddress(terms) }) };
}

/** send_liquidity ton:Coins jettons:Coins */
function readLaunch(log: MessageFact): readonly LaunchpadEvent[] {
  const slice = openBody(log);
  slice.coins();
  slice.coins();
  return [{ kind: 'launch', trader: '' }];
}

/** buy buyer:MsgAddress input_ton:Coins ton:Coins jettons:Coins fee:Coins bonding_curve_overflow:Bool */
function readGaspumpBuy(log: MessageFact): readonly LaunchpadEvent[] {
  const slice = openBody(log);
  const trader = readAddress(slice);
  slice.coins();
  const [ton, jettons] = [slice.coins(), slice.coins()];
  slice.coins();
  const isFull = slice.bit();
  const trade = { kind: 'trade', isBuy: true, trader, ton, jettons } as const;
  return isFull ? [trade, { kind: 'launch', trader }] : [trade];
}

/** sell seller:MsgAddress ton:Coins jettons:Coins fee:Coins */
function readGaspumpSale(log: MessageFact): readonly LaunchpadEvent[] {
  const slice = openBody(log);
  const trader = readAddress(slice);
  return [{ kind: 'trade', isBuy: false, trader, ton: slice.coins(), jettons: slice.coins() }];
}

/** trade query_id:uint64 base_reserve:uint64 quote_reserve:uint64 ton:uint64 jettons:uint64 trader:MsgAddress flag:uint4 */
function readMemeslab(log: MessageFact, isBuy: boolean): CurveTrade {
  const slice = openBody(log);
  slice.skipBits(3 * 64);
  const [ton, jettons] = [slice.bigUint(64), slice.bigUint(64)];
  return { kind: 'trade', isBuy, ton, jettons, trader: readAddress(slice) };
}

/** list_token query_id:uint64 flags:uint4 … */
function readMemeslabListing(log: MessageFact): readonly LaunchpadEvent[] {
  openBody(log).skipBits(64 + 4);
  return [{ kind: 'launch', trader: '' }];
}
