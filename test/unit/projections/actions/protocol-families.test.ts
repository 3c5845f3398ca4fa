import { describe, expect, it } from 'vitest';
import { classifyTrace } from '../../../../src/projections/actions/classify.ts';
import { LoadedFacts } from '../../../../src/projections/actions/model/contract-facts.ts';
import { recordedColumns } from '../../../../src/projections/actions/out/recorded-columns.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import type { AccountFacts } from '../../../../src/ton/contracts/account-facts.ts';
import { address, comment, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';

const [USER, POOL, MASTER, USER_WALLET, OTHER, ITEM] = [...'upmwoi'].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const POOL_CODE = 'mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=';

type Body = (builder: CellBuilder) => void;

/** Columns and API type of the top-level actions. */
function actionsOf(
  root: Sent,
  known: Readonly<Record<string, AccountFacts>> = {},
  release: '1.2' | '1.3' = '1.2',
) {
  const facts = new LoadedFacts();
  for (const [account, one] of Object.entries(known)) facts.add(account, one);
  const { actions, problems } = classifyTrace(traceFrom(root), facts, { release });
  expect(problems).toEqual([]);
  return actions
    .filter(({ parentActionId }) => parentActionId === null)
    .map((action) => ({ ...recordedColumns(action), details: action.details }));
}

const wallet = (...sends: Sent[]): Sent => ({ to: USER, sends });
const withQuery =
  (write: Body): Body =>
  (builder) =>
    write(builder.bigUint(7n, 64));
const jettonWallet = (owner: string, jetton: string): AccountFacts => ({
  jettonWallet: { owner, jetton },
});

describe('nominator pools', () => {
  const pool: Readonly<Record<string, AccountFacts>> = { [POOL]: { codeHash: POOL_CODE } };
  const order = (letter: string, ...sends: Sent[]): Sent =>
    wallet({ op: 0, to: POOL, body: comment(letter), value: 5n, sends });

  it('a deposit takes the excess in', () => {
    expect(actionsOf(order('d', { op: 0xd53276db, to: USER }), pool)).toMatchObject([
      {
        type: 'stake_deposit',
        source: USER,
        destination: POOL,
        amount: 5n,
        staking_data: { provider: 'nominator', tokens_minted: null },
      },
    ]);
    expect(actionsOf(order('d'))).toMatchObject([{ type: 'ton_transfer' }]);
    expect(actionsOf(order('deposit'), pool)).toMatchObject([{ type: 'ton_transfer' }]);
  });

  it('a request is a withdrawal where the pool pays more than was sent, or twice', () => {
    const back = (value: bigint): Sent => ({ to: USER, value });
    expect(actionsOf(order('w'), pool)).toMatchObject([{ type: 'stake_withdrawal_request' }]);
    expect(actionsOf(order('w', back(4n)), pool)).toMatchObject([{ type: 'stake_withdrawal_request' }]);
    expect(actionsOf(order('w', back(9n)), pool)).toMatchObject([{ type: 'stake_withdrawal', amount: 9n }]);
    expect(actionsOf(order('w', back(3n), back(8n)), pool)).toMatchObject([
      { type: 'stake_withdrawal', amount: 3n, destination: POOL },
    ]);
  });

  it('a pool that processes withdrawals pays each nominator', () => {
    const payout = (to: string): Sent => ({ to, value: 6n });
    const root = wallet({ op: 2, to: POOL, sends: [payout(OTHER), payout(ITEM)] });
    expect(actionsOf(root, pool)).toMatchObject([
      { type: 'call_contract' },
      { type: 'stake_withdrawal', source: OTHER, amount: 6n },
      { type: 'stake_withdrawal', source: ITEM, amount: 6n },
    ]);
  });
});

describe('liquid staking', () => {
  const internal: Body = withQuery((builder) => {
    putAddress(builder.coins(40n), null);
    putAddress(builder, USER).coins(0n).bit(false);
  });
  const minted: Sent = { op: 0x178d4519, to: USER_WALLET, body: internal };

  it('a deposit is what arrived without the fee; without tokens it stays a call', () => {
    const deposit = (...sends: Sent[]) => wallet({ op: 0x47d54391, to: POOL, value: 3_000_000_000n, sends });
    expect(actionsOf(deposit({ op: 0x1674b0a0, to: MASTER, sends: [minted] }))).toMatchObject([
      {
        type: 'stake_deposit',
        destination: POOL,
        asset: MASTER,
        amount: 2_000_000_000n,
        staking_data: { provider: 'liquid_staking', tokens_minted: 40n },
      },
    ]);
    expect(actionsOf(deposit())).toMatchObject([{ type: 'call_contract' }]);
  });

  it('a delayed withdrawal names the item of the payout, and fails without one', () => {
    const burn = (...sends: Sent[]): Sent =>
      wallet({
        op: 0x595f07bc,
        to: USER_WALLET,
        body: withQuery((builder) => putAddress(builder.coins(11n), USER)),
        sends: [
          {
            op: 0x7bdd97de,
            to: MASTER,
            sends: [{ op: 0x319b0cdc, to: POOL, sends: [{ op: 0x1674b0a0, to: OTHER, sends }] }],
          },
        ],
      });
    expect(actionsOf(burn({ op: 0x132f9a45, to: ITEM }))).toMatchObject([
      {
        type: 'stake_withdrawal_request',
        success: true,
        asset: MASTER,
        destination: POOL,
        amount: 11n,
        staking_data: { ts_nft: ITEM },
        details: { payout_nft: ITEM, tokens_burnt: null },
      },
      { type: 'call_contract' },
    ]);
    expect(actionsOf(burn())).toMatchObject([{ type: 'stake_withdrawal_request', success: false }]);
  });
});

describe('ethena', () => {
  it('a request is no transfer: the internal transfer goes to the master', () => {
    const amounts = (amount: bigint): Body =>
      withQuery((builder) => {
        putAddress(builder.coins(amount), USER);
        putAddress(builder, USER).coins(0n).bit(false);
      });
    const request: Sent = {
      op: 0x0f8a7ea5,
      to: USER_WALLET,
      body: withQuery((builder) => {
        putAddress(builder.coins(9n), MASTER);
        putAddress(builder, USER).bit(false).coins(0n).bit(false);
      }),
      sends: [
        {
          op: 0x178d4519,
          to: MASTER,
          body: amounts(9n),
          sends: [
            {
              op: 0x7362d09c,
              to: POOL,
              sends: [
                { op: 0x642b7d07, to: OTHER, sends: [{ op: 0xb2583ed5, to: ITEM, body: amounts(8n) }] },
              ],
            },
          ],
        },
      ],
    };
    const facts = { [USER_WALLET]: jettonWallet(USER, MASTER), [ITEM]: jettonWallet(USER, OTHER) };
    expect(actionsOf(wallet(request), facts)).toMatchObject([
      {
        type: 'stake_withdrawal_request',
        asset: MASTER,
        amount: 9n,
        destination: POOL,
        staking_data: { provider: 'ethena', tokens_minted: 8n },
        details: { tokens_burnt: 9n, tokens_minted: 8n },
      },
    ]);
  });
});

describe('EVAA liquidations', () => {
  const COLLATERAL = 0xb387968236197958ca4ac55e9b5be38e688c7631af84c86756431f49a878ef33n;
  const request: Body = withQuery((builder) => {
    putAddress(builder, OTHER);
    putAddress(builder, USER).bigUint(COLLATERAL, 256).bigUint(0n, 64).uint(0, 2).bigUint(70n, 64);
  });
  /** After the header of messages to a user's contract. */
  const headed =
    (op: number): Body =>
    (builder) =>
      builder.coins(1n).bit(false).uint(0, 2).uint(op, 32);
  const toUser = (op: number, sends: Sent[] = []): Sent => ({ to: ITEM, ...asSent(headed(op)), sends });
  const start = (...sends: Sent[]) => wallet({ op: 3, to: MASTER, body: request, sends });

  /** A body whose first 32 bits are no op of their own. */
  function asSent(write: Body): Pick<Sent, 'op' | 'body'> {
    const builder = new CellBuilder();
    write(builder);
    const { bitLength } = builder;
    const { data } = builder.cell();
    const bit = (at: number) => ((data[at >> 3]! >> (7 - (at & 7))) & 1) === 1;
    return {
      op: new DataView(data.buffer, data.byteOffset).getUint32(0),
      body: (rest) => {
        for (let at = 32; at < bitLength; at++) rest.bit(bit(at));
      },
    };
  }

  const satisfied: Body = withQuery((builder) => {
    putAddress(builder, OTHER);
    const amounts = new CellBuilder()
      .bigUint(0n, 64)
      .bigUint(60n, 64)
      .bigUint(0n, 64)
      .bigUint(0n, 64)
      .bigUint(COLLATERAL, 256)
      .bigUint(0n, 64)
      .bigUint(55n, 64);
    putAddress(builder, USER).bigUint(1n, 256).ref(amounts.cell());
  });

  it('succeeds with the reward, and fails by name', () => {
    const paid = { op: 0x311d, to: USER };
    const done = start(
      toUser(0x31, [{ op: 0x311, to: MASTER, body: satisfied, sends: [toUser(0x311a), paid] }]),
    );
    expect(actionsOf(done)).toMatchObject([
      {
        type: 'evaa_liquidate',
        success: true,
        destination: OTHER,
        destination_secondary: ITEM,
        asset: COLLATERAL.toString(),
        amount: 55n,
        evaa_liquidate_data: { debt_amount: 60n, fail_reason: null },
        details: {
          is_known_asset: true,
          asset: '0:729C13B6DF2C07CBF0A06AB63D34AF454F3D320EC1BCD8FB5C6D24D0806A17C2',
        },
      },
    ]);
    const thanks: Sent = { op: 0, to: USER, body: comment('EVAA liquidation.') };
    const thanked = start(
      toUser(0x31, [{ op: 0x311, to: MASTER, body: satisfied, sends: [toUser(0x311a, [thanks]), paid] }]),
    );
    expect(actionsOf(thanked)).toHaveLength(1);
    expect(actionsOf(thanked)).toMatchObject([{ type: 'evaa_liquidate' }]);
    expect(actionsOf(done, {}, '1.3')).toMatchObject([{ asset: null }]);
    expect(actionsOf(start({ op: 0xffffffff, to: USER }))).toMatchObject([
      {
        success: false,
        amount: 0n,
        evaa_liquidate_data: { debt_amount: 70n, fail_reason: 'immediate_rejection' },
      },
    ]);
    const poor = start(toUser(0x31, [{ op: 0x311, to: MASTER, sends: [{ op: 0x311f, to: USER }, paid] }]));
    expect(actionsOf(poor)).toMatchObject([
      { success: false, evaa_liquidate_data: { fail_reason: 'master_not_enough_liquidity' } },
    ]);
    const reason = new CellBuilder()
      .bigUint(0n, 64)
      .bigUint(1n, 256)
      .bigUint(0n, 128)
      .uint(0xe003, 32)
      .cell();
    const refusal: Body = withQuery((builder) => {
      putAddress(putAddress(builder, OTHER), USER).bigUint(1n, 256).ref(reason);
    });
    const report = { op: 0x311f, to: USER };
    const refused = start(toUser(0x31, [{ op: 0x31f, to: MASTER, body: refusal, sends: [paid, report] }]));
    expect(actionsOf(refused)).toHaveLength(1);
    expect(actionsOf(refused)).toMatchObject([
      { success: false, evaa_liquidate_data: { fail_reason: 'not_liquidatable' } },
    ]);
  });
});

describe('tgBTC', () => {
  const mintLog: Sent = {
    op: 0x77a80ef3,
    to: null,
    body: (builder) => void putAddress(builder.coins(5n), USER).bigUint(1n, 256),
  };

  it('a lone log gives the fallback, and release 1.3 moves its id', () => {
    const root = wallet({ op: 0x1, to: OTHER, sends: [mintLog] });
    const id = `01${'0'.repeat(62)}`;
    expect(actionsOf(root)).toMatchObject([
      { type: 'call_contract' },
      { type: 'tgbtc_mint_fallback', source: OTHER, destination: USER, amount: 5n, asset_secondary: id },
    ]);
    expect(actionsOf(root, {}, '1.3')[1]).toMatchObject({ asset_secondary: null, extra: { btc_txid: id } });
  });

  it('a mint without its beginning is none', () => {
    const mint: Sent = {
      op: 0x642b7d07,
      to: MASTER,
      body: withQuery((builder) => putAddress(builder, USER).coins(1n).ref(new CellBuilder().cell())),
    };
    const root = wallet({ op: 0xe42a879b, to: OTHER, sends: [mintLog, mint] });
    expect(actionsOf(root)).not.toContainEqual(expect.objectContaining({ type: 'tgbtc_mint' }));
    const begun = wallet({
      op: 0x3f781d24,
      to: POOL,
      sends: [{ op: 0xe42a879b, to: OTHER, sends: [mintLog, mint] }],
    });
    expect(actionsOf(begun)).toMatchObject([
      { type: 'tgbtc_mint', source: USER, source_secondary: OTHER, amount: 5n },
    ]);
  });

  it('a new key takes the log of its generation from the block above', () => {
    const generated: Sent = {
      op: 0x453443a6,
      to: null,
      body: (builder) => builder.bigUint(99n, 64).bigUint(0xabn, 256),
    };
    const event: Sent = {
      op: 0x27756729,
      to: null,
      body: (builder) => void putAddress(builder.coins(2n).bigUint(0xabn, 256), ITEM),
    };
    const root = wallet({
      op: 0x5,
      to: OTHER,
      sends: [generated, { op: 0x690f357a, to: POOL, sends: [event] }],
    });
    expect(actionsOf(root)).toMatchObject([
      {
        type: 'tgbtc_new_key',
        source: OTHER,
        source_secondary: 'ab',
        destination: POOL,
        destination_secondary: ITEM,
        amount: 2n,
        value: 99n,
      },
    ]);
  });
});
