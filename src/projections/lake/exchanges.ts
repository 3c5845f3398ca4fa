import { loadAsset } from '../../ton/contracts/dedust-pool.ts';
import type { MessageFact } from './action-fact.ts';
import { nextCell, openBody, readAddress } from './message-slice.ts';
import { NATIVE } from './trade.ts';

/** Facts of a swap that its messages have, and its action does not. Addresses are raw text; empty for none. */
export interface SwapFacts {
  readonly trader?: string;
  readonly referral?: string;
  readonly queryId?: bigint;
}

/** Facts of a swap that the log of a pool has. */
export interface LogFacts extends SwapFacts {
  /** Reserves after the swap, of the sold and of the bought token. */
  readonly reserves?: readonly [sold: bigint, bought: bigint];
}

/** An exchange: how its trades are read. Opcodes and layouts: docs/contract/v3-actions-rules.md. */
export interface Exchange {
  readonly project: string;
  readonly version: number;
  /** TON as this exchange's trades show it: address zero, or its own wrapped TON. */
  readonly ton: string;
  /** Opcode of the message that a pool receives for a swap. */
  readonly swap?: number;
  /** Opcode of the pool's message to the router, which names the payment. */
  readonly pay?: number;
  /** Opcode of the log by which a pool reports a swap. */
  readonly log?: number;
  /** True if dex_trades names the router. */
  readonly hasRouter: boolean;
  /** Reads the swap message of a route's first pool. @throws CellError, BocError */
  readonly readSwap?: (swap: MessageFact) => SwapFacts;
  /** Reads the log of a pool. @throws CellError, BocError */
  readonly readLog?: (log: MessageFact) => LogFacts;
}

/** Exchanges by the name that actions give them. */
export const EXCHANGES: Readonly<Record<string, Exchange>> = {
  stonfi: {
    project: 'ston.fi',
    version: 1,
    ton: '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
    swap: 0x25938561,
    pay: 0xf93bb43f,
    hasRouter: false,
    readSwap: readStonfi,
  },
  stonfi_v2: {
    project: 'ston.fi',
    version: 2,
    ton: '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
    swap: 0x6664de2a,
    pay: 0x657b54f5,
    hasRouter: true,
    readSwap: readStonfiV2,
  },
  dedust: {
    project: 'dedust',
    version: 2,
    ton: NATIVE,
    log: 0x9c610de3,
    hasRouter: false,
    readLog: readDedust,
  },
  tonco: {
    project: 'tonco',
    version: 1,
    ton: '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
    swap: 0xa7fb58f8,
    pay: 0xa1daa96d,
    hasRouter: true,
    readSwap: (swap) => ({ queryId: openBody(swap).bigUint(64) }),
  },
  coffee: {
    project: 'coffee',
    version: 1,
    ton: NATIVE,
    log: 0xc0ffee30,
    hasRouter: false,
    readSwap: readCoffee,
    readLog: readCoffeeLog,
  },
};

/** swap#25938561 query user wallet amount:Coins min_out:Coins has_ref:Bool ^(sender ref?) */
function readStonfi(swap: MessageFact): SwapFacts {
  const slice = openBody(swap);
  slice.skipBits(64);
  readAddress(slice);
  readAddress(slice);
  slice.coins();
  slice.coins();
  const hasReferral = slice.bit();
  const addresses = nextCell(slice);
  const trader = readAddress(addresses);
  return { trader, ...(hasReferral && { referral: readAddress(addresses) }) };
}

/**
 * swap#6664de2a query from_user left:Coins right:Coins ^(op:uint32 wallet … ^(min_out:Coins receiver fwd_gas:Coins payload:(Maybe
 * ^Cell) refund_gas:Coins refund_payload:(Maybe ^Cell) ref_fee:uint16 ref_address))
 */
function readStonfiV2(swap: MessageFact): SwapFacts {
  const slice = openBody(swap);
  const queryId = slice.bigUint(64);
  const trader = readAddress(slice);
  slice.coins();
  slice.coins();
  const terms = nextCell(nextCell(slice));
  terms.coins();
  readAddress(terms);
  terms.coins();
  terms.maybeRef();
  terms.coins();
  terms.maybeRef();
  terms.skipBits(16);
  return { queryId, trader, referral: readAddress(terms) };
}

/** swap#9c610de3 asset_in asset_out amount_in:Coins amount_out:Coins ^(sender referral reserve0:Coins reserve1:Coins) */
function readDedust(log: MessageFact): LogFacts {
  const slice = openBody(log);
  const assets = [loadAsset(slice), loadAsset(slice)] as const;
  slice.coins();
  slice.coins();
  const after = nextCell(slice);
  const [trader, referral] = [readAddress(after), readAddress(after)];
  const [first, second] = [after.coins(), after.coins()];
  return { trader, referral, reserves: isFirst(assets[0], assets[1]) ? [first, second] : [second, first] };
}

/** DeDust orders the assets of a pool: TON first, then by workchain and address. */
function isFirst(a: string | null, b: string | null): boolean {
  return a === null || (b !== null && a < b);
}

/** swap#c0ffee20 query amount:Coins asset_hint:(Maybe ^Cell) min:Coins next:(Maybe ^Cell) ^(deadline:uint32 recipient referral …) */
function readCoffee(swap: MessageFact): SwapFacts {
  const slice = openBody(swap);
  const queryId = slice.bigUint(64);
  slice.coins();
  slice.maybeRef();
  slice.coins();
  slice.maybeRef();
  const terms = nextCell(slice);
  terms.skipBits(32);
  const [trader, referral] = [readAddress(terms), readAddress(terms)];
  return { queryId, trader, referral };
}

/** swapped#c0ffee30 query asset_in amount_in:Coins amount_out:Coins reserve_in:Coins reserve_out:Coins … */
function readCoffeeLog(log: MessageFact): LogFacts {
  const slice = openBody(log);
  slice.skipBits(64);
  if (slice.uint(2) === 1) slice.skipBits(8 + 256);
  slice.coins();
  slice.coins();
  return { reserves: [slice.coins(), slice.coins()] };
}
