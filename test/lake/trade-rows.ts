/** Rows about trades, from the logs of pools that @ton/core reads. The local exchange speaks the format of DeDust. */
import type { Slice } from '@ton/core';
import { apiTransactions } from './api-transactions.ts';
import { type CoreTransaction, readBody, readTransactions, toRaw } from './core-messages.ts';
import type { CommittedBlock } from './core-rows.ts';
import type { LakeServer, Row } from './lake-server.ts';
import { toDigits } from './lake-values.ts';

/** swap#9c610de3 asset_in asset_out amount_in:Coins amount_out:Coins ^[sender referral reserve0:Coins reserve1:Coins] */
const SWAP_LOG = 0x9c610de3;
const TON = `0:${'0'.repeat(64)}`;

interface Swap {
  readonly from: CoreTransaction;
  readonly sold: string;
  readonly bought: string;
  readonly amountSold: bigint;
  readonly amountBought: bigint;
  readonly sender: string | null;
  readonly referral: string | null;
  readonly reserves: readonly [bigint, bigint];
}

/** native$0000 | jetton$0001 workchain:int8 address:uint256 */
function loadAsset(slice: Slice): string {
  if (slice.loadUint(4) === 0) return TON;
  return `${slice.loadInt(8)}:${slice.loadUintBig(256).toString(16).padStart(64, '0').toUpperCase()}`;
}

function readSwaps(blocks: readonly CommittedBlock[]): readonly Swap[] {
  return readTransactions(blocks).flatMap((from) =>
    from.transaction.outMessages.values().flatMap((message) => {
      const body = message.info.type === 'external-out' ? readBody(message) : null;
      if (body?.opcode !== SWAP_LOG || from.isAborted) return [];
      const { slice } = body;
      const [sold, bought] = [loadAsset(slice), loadAsset(slice)];
      const [amountSold, amountBought] = [slice.loadCoins(), slice.loadCoins()];
      const after = slice.loadRef().beginParse();
      const [sender, referral] = [toRaw(after.loadMaybeAddress()), toRaw(after.loadMaybeAddress())];
      const reserves = [after.loadCoins(), after.loadCoins()] as const;
      return [{ from, sold, bought, amountSold, amountBought, sender, referral, reserves }];
    }),
  );
}

const decimal = (value: bigint, digits: number) => {
  const text = value.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '');
};

/** Rows of `dex_trades`. */
export async function coreTrades(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const known = await apiTransactions(server);
  return readSwaps(blocks).map(({ from, sold, bought, amountSold, amountBought, sender, referral }) => ({
    tx_hash: from.hash,
    pool_address: from.account,
    project_type: 'dex',
    project: 'dedust',
    version: 2,
    event_time: from.transaction.now,
    event_type: 'trade',
    trader_address: sender,
    router_address: null,
    token_sold_address: sold,
    token_bought_address: bought,
    amount_sold_raw: amountSold,
    amount_bought_raw: amountBought,
    referral_address: referral,
    trace_id: known.get(from.hash)?.trace_id,
    platform_tag: null,
    query_id: null,
    volume_usd: null,
    ...(sold === TON || bought === TON
      ? { volume_ton: decimal(sold === TON ? amountSold : amountBought, 9) }
      : {}),
  }));
}

/** Rows of `dex_pools`. The tokens of a pool, and its reserves, are in the order of the tokens' addresses. */
export async function corePools(_: LakeServer, blocks: readonly CommittedBlock[]): Promise<readonly Row[]> {
  const first = new Map<string, number>();
  return readSwaps(blocks).map(({ from, sold, bought, reserves: [left, right] }) => {
    const { account: pool, transaction } = from;
    first.set(pool, first.get(pool) ?? transaction.now);
    const tokens = [sold, bought].toSorted();
    const hasTon = tokens[0] === TON;
    return {
      pool,
      last_updated: transaction.now,
      reserves_left: left,
      project: 'dedust',
      version: 2,
      discovered_at: first.get(pool),
      jetton_left: tokens[0],
      jetton_right: tokens[1],
      reserves_right: right,
      tvl_usd: null,
      tvl_ton: hasTon ? decimal(left * 2n, 9) : null,
      is_liquid: hasTon,
    };
  });
}

/** Rows of `prices_daily`: of tokens that were traded against TON. Doubles are compared with ten digits. */
export async function corePrices(_: LakeServer, blocks: readonly CommittedBlock[]): Promise<readonly Row[]> {
  const sums = new Map<string, { ton: bigint; token: bigint }>();
  const others = new Set<string>();
  for (const { from, sold, bought, amountSold, amountBought } of readSwaps(blocks)) {
    const day = new Date(from.transaction.now * 1_000).toISOString().slice(0, 10);
    if (sold !== TON && bought !== TON) {
      for (const token of [sold, bought]) others.add(`${day} ${token}`);
      continue;
    }
    const name = `${day} ${sold === TON ? bought : sold}`;
    const sum = sums.get(name) ?? { ton: 0n, token: 0n };
    sum.ton += sold === TON ? amountSold : amountBought;
    sum.token += sold === TON ? amountBought : amountSold;
    sums.set(name, sum);
  }
  const rows = [...sums].map(([name, { ton, token }]) => {
    const [day, address] = name.split(' ');
    return toPrice(day!, address!, { price: Number(ton) / 1e9 / Number(token), type: 'Jetton' });
  });
  // Nothing connects these with TON.
  for (const name of others)
    if (!sums.has(name))
      rows.push(toPrice(name.slice(0, 10), name.slice(11), { price: null, type: 'Jetton' }));
  const days = new Set(rows.map(({ block_date }) => String(block_date)));
  const ofTon = (day: string) => TONS.map((token) => toPrice(day, token, { price: 1e-9, type: 'TON' }));
  return [...rows, ...[...days].flatMap(ofTon)];
}

/** Address zero, and TON as exchanges wrap it (docs/contract/data-lake.md, docs/contract/v3-actions.md). */
const TONS = [
  TON,
  '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
  '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
  '0:D0A1CE4CDC187C79615EA618BD6C29617AF7A56D966F5A192A768F345EE63FD2',
  '0:9A8DA514D575D20234C3FB1395EE9138F5F1AD838ABC905DC42C2389B46BD015',
  '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
];

function toPrice(
  day: string,
  token: string,
  { price, type }: { readonly price: number | null; readonly type: string },
): Row {
  const start = `${day} 00:00:00`;
  return {
    ...{ blockchain: 'ton', token_address: token, timestamp: start, block_time: start, block_date: day },
    ...{ price_ton: price === null ? null : toDigits(price), price_usd: null, asset_type: type },
  };
}
