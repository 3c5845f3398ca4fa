import { BURN_NOTIFICATION_OP } from '../../../../ton/messages/jetton-burn.ts';
import type { Body } from '../../body/body.ts';
import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockOfKind, blockThat, call, log, optional } from '../../match/pattern.ts';
import type { Columns } from '../../model/action.ts';
import { TON_TRANSFER } from '../../tree/basic-blocks.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { JETTON_BURN, JETTON_MINT, type JettonBurn, type JettonMint } from '../jetton/jetton-supply.ts';

const MINT_BEGIN = 0x3f781d24;
const MINT_END = 0xe42a879b;
const NEW_KEY = 0x690f357a;
const BURN_ANSWER = 0x587643a2;
const PEGOUT = 0xbe44e7a6;
const PEGOUT_ANSWER = 0x1a84c0e0;

const MINT_EVENT = 0x77a80ef3;
const BURN_EVENT = 0xca444ce6;
const NEW_KEY_EVENT = 0x27756729;
const DKG_EVENT = 0x453443a6;

/** A mint passes through at most so many blocks from its beginning. */
const MAX_STEPS = 20;

type MovedColumn = 'asset' | 'asset_secondary' | 'source_secondary';

/** A column that release 1.3 moved into `extra` under another name. */
function moved(
  is13: boolean,
  column: MovedColumn,
  name: string,
  value: string | null,
): Pick<Columns, MovedColumn | 'extra'> {
  return is13 ? { extra: { [name]: value } } : { [column]: value };
}

interface Released {
  /** True for the rules of release 1.3. */
  readonly is13: boolean;
}

/** Bitcoin that became tokens. */
interface Mint extends Released {
  readonly source: string | null;
  readonly teleport: string | null;
  readonly recipient: string | null;
  readonly wallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
  readonly bitcoinId: string;
}

function mintKind(type: string): BlockKind<Mint> {
  return {
    name: 'tgbtc_mint',
    type,
    columns: (one): Columns => ({
      source: one.source,
      source_secondary: one.teleport,
      destination: one.recipient,
      destination_secondary: one.wallet,
      asset: one.asset,
      amount: one.amount,
      ...moved(one.is13, 'asset_secondary', 'btc_txid', one.bitcoinId),
    }),
    details: (one) => ({
      source: one.source,
      destination: one.recipient,
      amount: one.amount,
      asset: one.asset,
      bitcoin_tx_id: one.bitcoinId,
      destination_wallet: one.wallet,
    }),
  };
}

const MINT = mintKind('tgbtc_mint');
const MINT_FALLBACK = mintKind('tgbtc_mint_fallback');

/** amount:Coins recipient:MsgAddress bitcoin_id:uint256; the id is shown as Bitcoin shows it, last byte first. */
function readMint(body: Body) {
  const [amount, recipient] = [body.coins(), body.address()];
  return { amount, recipient, bitcoinId: body.bytes(32).toReversed().toHex() };
}

/** The blocks above one up to the message that a mint begins with. */
function mintPath(start: Block): readonly Block[] {
  const path: Block[] = [];
  for (let block = start.previous; block && path.length < MAX_STEPS; block = block.previous) {
    path.push(block);
    if (block.opcode === MINT_BEGIN) return path;
  }
  return needed<readonly Block[]>(null, 'the beginning of the mint');
}

function buildMint(block: Block, found: Found, context: Context): Block {
  const event = found.get('event');
  const { asset, wallet } = (found.get('minted') as Block<JettonMint>).data;
  const path = mintPath(block);
  return context.merge({
    kind: MINT,
    parts: [block, ...path, ...found.blocks],
    data: {
      ...readMint(event.body()),
      source: path.at(-1)!.source,
      teleport: event.source,
      wallet,
      asset,
      is13: context.rules.release === '1.3',
    },
  });
}

function buildUnmatchedMint(block: Block, _found: Found, context: Context): Block {
  const { source } = block;
  const data = { ...readMint(block.body()), source, teleport: source, wallet: null, asset: null };
  return context.merge({
    kind: MINT_FALLBACK,
    parts: [block],
    data: { ...data, is13: context.rules.release === '1.3' },
  });
}

/** Tokens that became Bitcoin. */
interface Burn {
  readonly source: string | null;
  readonly wallet: string | null;
  readonly asset: string | null;
  readonly amount: bigint;
  readonly pegout: string | null;
}

function burnKind(type: string): BlockKind<Burn> {
  return {
    name: 'tgbtc_burn',
    type,
    columns: ({ source, wallet, asset, amount, pegout }) => ({
      source,
      source_secondary: wallet,
      destination: pegout,
      asset,
      amount,
    }),
    details: ({ source, wallet, asset, amount, pegout }) => ({
      source,
      source_wallet: wallet,
      destination: pegout,
      amount,
      asset,
    }),
  };
}

const BURN = burnKind('tgbtc_burn');
const BURN_FALLBACK = burnKind('tgbtc_burn_fallback');

/** amount:Coins sender:MsgAddress pegout:MsgAddress */
function readBurn(body: Body) {
  return { amount: body.coins(), sender: body.address(), pegout: body.address() };
}

function buildBurn(block: Block, found: Found, context: Context): Block {
  const { owner, wallet, asset, amount } = (block as Block<JettonBurn>).data;
  const logged = readBurn(found.get('event').body());
  const isLess = amount > 0n && amount < logged.amount;
  return context.merge({
    kind: BURN,
    parts: [block, ...found.blocks],
    failed: block.failed,
    data: { source: owner, wallet, asset, amount: isLess ? amount : logged.amount, pegout: logged.pegout },
  });
}

function buildUnmatchedBurn(block: Block, _found: Found, context: Context): Block {
  const { amount, sender, pegout } = readBurn(block.body());
  return context.merge({
    kind: BURN_FALLBACK,
    parts: [block],
    data: { source: sender, wallet: null, asset: null, amount, pegout },
  });
}

/** A new key of the signers. */
interface NewKey extends Released {
  readonly teleport: string | null;
  readonly coordinator: string | null;
  readonly pegout: string | null;
  readonly key: string;
  readonly amount: bigint;
  /** Unix seconds; null where only the event is known. */
  readonly time: bigint | null;
}

function newKeyKind(type: string): BlockKind<NewKey> {
  return {
    name: 'tgbtc_new_key',
    type,
    columns: (one): Columns => ({
      source: one.teleport,
      destination: one.coordinator,
      destination_secondary: one.pegout,
      amount: one.amount,
      value: one.time,
      ...moved(one.is13, 'source_secondary', 'pubkey', one.key),
    }),
    details: (one) => ({
      source: one.teleport,
      pubkey: one.key,
      coordinator: one.coordinator,
      pegout: one.pegout,
      amount: one.amount,
      asset: null,
    }),
  };
}

const NEW_KEY_KIND = newKeyKind('tgbtc_new_key');
const NEW_KEY_FALLBACK = newKeyKind('tgbtc_new_key_fallback');

/** amount:Coins key:uint256 pegout:MsgAddress */
function readNewKey(body: Body) {
  const [amount, key] = [body.coins(), body.big(256).toString(16)];
  return { amount, key, pegout: body.address() };
}

function buildNewKey(block: Block, found: Found, context: Context): Block {
  const [event, generated] = [found.get('event'), found.get('generated')];
  return context.merge({
    kind: NEW_KEY_KIND,
    parts: [block, ...found.blocks],
    data: {
      ...readNewKey(event.body()),
      coordinator: event.source,
      teleport: generated.source,
      time: generated.body().u64(),
      is13: context.rules.release === '1.3',
    },
  });
}

function buildUnmatchedKey(block: Block, _found: Found, context: Context): Block {
  const data = { ...readNewKey(block.body()), coordinator: block.source, teleport: null, time: null };
  return context.merge({
    kind: NEW_KEY_FALLBACK,
    parts: [block],
    data: { ...data, is13: context.rules.release === '1.3' },
  });
}

/** A key was generated. */
interface GeneratedKey extends Released {
  readonly coordinator: string | null;
  readonly time: bigint;
  readonly key: string;
}

const GENERATED_KEY: BlockKind<GeneratedKey> = {
  name: 'tgbtc_dkg_log',
  type: 'tgbtc_dkg_log_fallback',
  columns: ({ coordinator, time, key, is13 }): Columns => ({
    source: coordinator,
    value: time,
    ...moved(is13, 'asset', 'pubkey', key),
  }),
  details: ({ coordinator, time, key }) => ({ coordinator, pubkey: key, timestamp: time }),
};

/** time:uint64 key:uint256 */
function buildGenerated(block: Block, _found: Found, context: Context): Block {
  const body = block.body();
  const [time, key] = [body.u64(), body.big(256).toString(16)];
  return context.merge({
    kind: GENERATED_KEY,
    parts: [block],
    data: { coordinator: block.source, time, key, is13: context.rules.release === '1.3' },
  });
}

/** Call that pays out Bitcoin. */
const pegout = optional(
  call(PEGOUT, { children: [optional(call(PEGOUT_ANSWER)), optional(blockOfKind(TON_TRANSFER))] }),
);

/** A log that no rule has taken. */
const unmatched = (name: string, op: number, build: typeof buildGenerated): Matcher => ({
  name,
  after: ['tgbtc_new_key'],
  pattern: log(op, { build }),
});

/**
 * tgBTC (v3-actions 4.8, v3-actions-rules 9): mint 0x3f781d24 … 0xe42a879b with its log and a jetton_mint, burn with
 * its log, new key with the log of its generation. Single logs give the `_fallback` types, under the inner names of the
 * full ones.
 */
export const tgbtc: readonly Matcher[] = [
  {
    name: 'tgbtc_mint',
    after: ['jetton_mint'],
    pattern: call(MINT_END, {
      children: [log(MINT_EVENT, { label: 'event' }), blockOfKind(JETTON_MINT, { label: 'minted' })],
      build: buildMint,
    }),
  },
  {
    name: 'tgbtc_burn',
    after: ['tgbtc_mint'],
    pattern: blockOfKind(JETTON_BURN, {
      child: call([BURN_NOTIFICATION_OP, BURN_ANSWER], {
        children: [log(BURN_EVENT, { label: 'event' }), pegout],
      }),
      build: buildBurn,
    }),
  },
  {
    name: 'tgbtc_new_key',
    after: ['tgbtc_burn'],
    pattern: call(NEW_KEY, {
      parent: blockThat(() => true, { child: log(DKG_EVENT, { label: 'generated' }) }),
      children: [log(NEW_KEY_EVENT, { label: 'event' }), pegout],
      build: buildNewKey,
    }),
  },
  unmatched('tgbtc_mint_fallback', MINT_EVENT, buildUnmatchedMint),
  unmatched('tgbtc_burn_fallback', BURN_EVENT, buildUnmatchedBurn),
  unmatched('tgbtc_new_key_fallback', NEW_KEY_EVENT, buildUnmatchedKey),
  unmatched('tgbtc_dkg_log_fallback', DKG_EVENT, buildGenerated),
];
