import type { Body } from '../../body/body.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { call, optional, type Surroundings } from '../../match/pattern.ts';
import type { Fields } from '../../model/action.ts';
import type { Block, BlockKind } from '../../tree/block.ts';

const PAYOUT = 0xc59a7cd3;
const EXCESS = 0x2565934c;
const CLIENT_REQUEST = 0x65448ff4;
const WORKER_REQUEST = 0x4d725d2c;
const WALLET_MESSAGE = 0x9c69f376;
const REFUND_GRANTED = 0xc68ebc7b;
const LAST_PAYOUT = 0xf5f26a36;

/** Action of one message in a cocoon contract's life. */
interface CocoonAction {
  readonly source?: string | null;
  readonly sourceSecondary?: string | null;
  readonly destination: string | null;
  readonly destinationSecondary?: string | null;
  readonly amount?: bigint;
  /** Fields of the type, the query id among them. */
  readonly fields: Fields;
}

/** Which of the parties the API shows, and whether the amount. */
interface Shown {
  readonly source?: boolean;
  readonly amount?: boolean;
}

function cocoonKind(name: string, { source = true, amount = false }: Shown = {}): BlockKind<CocoonAction> {
  return {
    name,
    type: name,
    columns: (one) => ({
      source: one.source ?? null,
      source_secondary: one.sourceSecondary ?? null,
      destination: one.destination,
      destination_secondary: one.destinationSecondary ?? null,
      amount: one.amount ?? null,
      ...{ [`${name}_data` as const]: one.fields },
    }),
    details: (one) => ({
      ...one.fields,
      ...(source && { source: one.source ?? null }),
      destination: one.destination,
      ...(amount && { amount: one.amount ?? null }),
    }),
  };
}

/** A rule of this family: kind, what must follow the start, and how the action is read. */
interface Rule {
  readonly kind: BlockKind<CocoonAction>;
  readonly op: number | readonly number[];
  readonly around: Surroundings;
  /** Reads the start's body after the op. */
  readonly read: (body: Body, block: Block, found: Found) => CocoonAction;
  /** Label of the block whose abort makes the action fail; default the start. */
  readonly failsBy?: string;
}

function buildMatcher({ kind, op, around, read, failsBy }: Rule): Matcher {
  const build = (block: Block, found: Found, context: Context): Block =>
    context.merge({
      kind,
      parts: [block, ...found.blocks],
      failed: (failsBy === undefined ? block : found.get(failsBy)).aborted,
      data: read(block.body(), block, found),
    });
  return { name: kind.name, after: ['jetton_mint'], pattern: call(op, { ...around, build }) };
}

const payout = call(PAYOUT, { label: 'payout' });
const excess = call(EXCESS);
const clientRequest = call(CLIENT_REQUEST, { label: 'request' });
/** The two answers of most calls by the owner of a client. */
const answered: Surroundings = { children: [excess, clientRequest] };

/** Tokens used, and the contract for which a payload was signed. */
function readCharge(body: Body): Fields {
  return { query_id: body.u64(), new_tokens_used: body.u64(), expected_address: body.anyAddress() };
}

/** worker_proxy_payout#4d725d2c query owner state:uint2 tokens:uint64 … */
function readWorkerPayout(body: Body, block: Block, found: Found): CocoonAction {
  const fields = { query_id: body.u64(), new_tokens: body.u64() };
  const worker = found.get('worker').body().skip(64);
  const owner = worker.address();
  const paid = found.get('payout');
  return {
    source: block.source,
    sourceSecondary: block.destination,
    destination: owner,
    amount: paid.value,
    fields: {
      payout_type: block.opcode === LAST_PAYOUT ? 'last' : 'regular',
      ...fields,
      worker_state: worker.uint(2),
      worker_tokens: worker.u64(),
    },
  };
}

/** client_proxy_request#65448ff4 query owner ^state payload:(Maybe ^(refund_granted#c68ebc7b amount:Coins address)) */
function grantedRefund(request: Block): bigint {
  const body = request.body().skip(64);
  body.address();
  body.ref();
  const payload = body.maybeRef();
  return payload?.peekOp() === REFUND_GRANTED ? payload.skip(32).coins() : 0n;
}

/** A call by a client's owner, who gets the rest of the money back: he is the source. */
function byOwner(block: Block, owner: string | null, fields: Fields, amount?: bigint): CocoonAction {
  return { source: owner, destination: block.destination, fields, ...(amount !== undefined && { amount }) };
}

/** 256 bits as hex without leading zeros. */
const shortHex = (value: bigint): string => value.toString(16);

const RULES: readonly Rule[] = [
  {
    kind: cocoonKind('cocoon_worker_payout', { amount: true }),
    op: [0xa040ad28, LAST_PAYOUT],
    around: { child: call(WORKER_REQUEST, { label: 'worker', children: [payout, optional(excess)] }) },
    read: readWorkerPayout,
    failsBy: 'payout',
  },
  {
    kind: cocoonKind('cocoon_proxy_payout'),
    op: 0x7610e6eb,
    around: { children: [payout, excess] },
    read: (body, block, found) => ({
      source: block.destination,
      destination: found.get('payout').destination,
      fields: { query_id: body.u64() },
      destinationSecondary: body.address(),
    }),
    failsBy: 'payout',
  },
  {
    kind: cocoonKind('cocoon_proxy_charge'),
    op: 0xbb63ff93,
    around: answered,
    read: (body, block, found) => ({
      source: block.destination,
      destination: found.get('request').destination,
      amount: 0n,
      fields: readCharge(body),
    }),
  },
  {
    kind: cocoonKind('cocoon_client_top_up', { amount: true }),
    op: 0xf172e6c2,
    around: { child: call(CLIENT_REQUEST, { label: 'request', child: excess }) },
    read: (body, block, found) => ({
      fields: { query_id: body.u64() },
      amount: body.coins(),
      source: body.address(),
      destination: block.destination,
      destinationSecondary: found.get('request').destination,
    }),
  },
  {
    kind: cocoonKind('cocoon_register_proxy', { source: false }),
    op: 0x927c7cb5,
    around: { child: excess },
    read: (body, block) => ({ destination: block.destination, fields: { query_id: body.u64() } }),
  },
  {
    kind: cocoonKind('cocoon_unregister_proxy', { source: false }),
    op: 0x6d49eaf2,
    around: { child: excess },
    read: (body, block) => ({
      destination: block.destination,
      fields: { query_id: body.u64(), seqno: body.uint(32) },
    }),
  },
  {
    kind: cocoonKind('cocoon_client_register'),
    op: 0xc45f9f3b,
    around: answered,
    read: (body, block) => {
      const fields = { query_id: body.u64(), nonce: body.u64() };
      return byOwner(block, body.address(), fields);
    },
  },
  {
    kind: cocoonKind('cocoon_client_change_secret_hash'),
    op: 0xa9357034,
    around: answered,
    read: (body, block) => {
      const fields = { query_id: body.u64(), new_secret_hash: shortHex(body.big(256)) };
      return byOwner(block, body.address(), fields);
    },
  },
  {
    kind: cocoonKind('cocoon_client_request_refund'),
    op: 0xfafa6cc1,
    around: { ...answered, parent: optional(call(WALLET_MESSAGE, { label: 'wallet' })) },
    read: (body, block, found) => {
      const fields = { query_id: body.u64(), via_wallet: found.maybe('wallet') !== null };
      return byOwner(block, body.address(), fields);
    },
  },
  {
    kind: cocoonKind('cocoon_grant_refund', { amount: true }),
    op: 0xefd711e1,
    around: { child: call(CLIENT_REQUEST, { label: 'request', children: [payout, excess] }) },
    read: (body, block, found) => ({
      source: block.destination,
      sourceSecondary: found.get('request').destination,
      destination: found.get('payout').destination,
      amount: found.get('payout').value,
      fields: readCharge(body),
    }),
    failsBy: 'payout',
  },
  {
    kind: cocoonKind('cocoon_client_increase_stake', { amount: true }),
    op: 0x6a1f6a60,
    around: answered,
    read: (body, block) => {
      const fields = { query_id: body.u64(), new_stake: body.coins() };
      return byOwner(block, body.address(), fields, fields.new_stake);
    },
  },
  {
    kind: cocoonKind('cocoon_client_withdraw', { amount: true }),
    op: 0xda068e78,
    around: { child: call(CLIENT_REQUEST, { label: 'request', children: [optional(excess), payout] }) },
    read: (body, block, found) => {
      const amount = grantedRefund(found.get('request'));
      const fields = { query_id: body.u64(), withdraw_amount: amount };
      return byOwner(block, body.address(), fields, amount);
    },
  },
];

/**
 * Cocoon (a market of computing; proxies, workers and clients). Each action is one call with its answers: 0xc59a7cd3 a
 * payout, 0x2565934c the remaining money, 0x65448ff4 a request to the client's proxy, 0x4d725d2c one to the worker's.
 * It fails if the start was aborted; paying actions fail if the payout was aborted.
 */
export const cocoon: readonly Matcher[] = RULES.map(buildMatcher);
