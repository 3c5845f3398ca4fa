/** Rows about trades, from the logs of pools that @ton/core reads. The local exchange speaks the format of DeDust. */
import type { Slice } from '@ton/core';
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
export async function coreTrades(_: LakeServer, blocks: readonly CommittedBlock[]): Promise<readonly Row[]> {
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
      tvl_ton: hasTon ? decimal(left * 2n, 9) : null,
      is_liquid: hasTon,
    };
  });
}

/** Rows of `prices_daily`: of tokens that were traded against TON. Doubles are compared with ten digits. */
export async function corePrices(_: LakeServer, blocks: readonly CommittedBlock[]): Promise<readonly Row[]> {
  const sums = new Map<string, { ton: bigint; token: bigint }>();
  for (const { from, sold, bought, amountSold, amountBought } of readSwaps(blocks)) {
    if (sold !== TON && bought !== TON) continue;
    const day = new Date(from.transaction.now * 1_000).toISOString().slice(0, 10);
    const name = `${day} ${sold === TON ? bought : sold}`;
    const sum = sums.get(name) ?? { ton: 0n, token: 0n };
    sum.ton += sold === TON ? amountSold : amountBought;
    sum.token += sold === TON ? amountBought : amountSold;
    sums.set(name, sum);
  }
  return [...sums].map(([name, { ton, token }]) => {
    const [day, address] = name.split(' ');
    const price = Number(ton) / 1e9 / Number(token);
    return { block_date: day, token_address: address, price_ton: toDigits(price), asset_type: 'Jetton' };
  });
}
