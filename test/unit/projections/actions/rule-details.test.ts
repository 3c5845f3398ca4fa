/** Types and details of rules that no recorded trace has. */
import { describe, expect, it } from 'vitest';
import type { ClassifyOptions } from '../../../../src/projections/actions/classify.ts';
import type { Trace } from '../../../../src/projections/actions/model/trace.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import type { AccountFacts } from '../../../../src/ton/contracts/account-facts.ts';
import { address, bagOf, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';
import {
  type Body,
  cellOf,
  classified,
  jettonWallet,
  type Known,
  withQuery,
} from '../../../helpers/classified-actions.ts';
import { jettonTransfer } from '../../../helpers/jetton-transfers.ts';

const [USER, OTHER, POOL, VAULT, MASTER, WALLET, POOL_WALLET, ITEM, LISTING, MARKET] = [...'uopvmwxilk'].map(
  address,
) as [string, string, string, string, string, string, string, string, string, string];
const EXCESS = 0xd53276db;

const wallet = (...sends: Sent[]): Sent => ({ to: USER, sends });
const actionsOf = (root: Sent, known: Known = {}, options: ClassifyOptions = {}) =>
  classified(traceFrom(root), known, options);
/** From the user's wallet to one of the pool, which sends something on. */
const transferToPool = (payload: Body, ...sends: Sent[]): Sent =>
  jettonTransfer({ from: [USER, WALLET], to: [POOL, POOL_WALLET], amount: 30n, payload }, ...sends);
const WALLETS: Known = { [WALLET]: jettonWallet(USER, MASTER), [POOL_WALLET]: jettonWallet(POOL, MASTER) };

describe('jettons', () => {
  const burn: Sent = {
    op: 0x595f07bc,
    to: WALLET,
    body: withQuery((builder) => void putAddress(builder.coins(12n), USER)),
    sends: [{ op: 0x7bdd97de, to: MASTER, sends: [{ op: EXCESS, to: USER }] }],
  };

  it('are burnt by the owner of a known wallet; the excess of the master goes with it', () => {
    expect(actionsOf(wallet(burn), WALLETS)).toMatchObject([
      {
        type: 'jetton_burn',
        source: USER,
        source_secondary: WALLET,
        asset: MASTER,
        amount: 12n,
        success: true,
      },
    ]);
    expect(actionsOf(wallet({ ...burn, sends: [], aborted: true }), WALLETS)).toMatchObject([
      { type: 'jetton_burn', success: false },
    ]);
    expect(actionsOf(wallet(burn)).map(({ type }) => type)).toEqual([
      'call_contract',
      'call_contract',
      'call_contract',
    ]);
  });

  it.each([
    [0x642b7d07, null],
    [0x00000015, 44n],
  ])('that a master (%i) did not send are a mint that failed', (op, amount) => {
    const inner = cellOf((builder) => builder.uint(0x178d4519, 32).bigUint(0n, 64).coins(44n));
    const mint: Sent = {
      op,
      to: MASTER,
      aborted: true,
      body: withQuery((builder) => putAddress(builder, OTHER).coins(6n).ref(inner)),
    };
    expect(actionsOf(wallet(mint))).toMatchObject([
      {
        type: 'jetton_mint',
        success: false,
        destination: OTHER,
        destination_secondary: null,
        asset: MASTER,
        amount,
        value: 6n,
      },
    ]);
  });
});

describe('a tick-tock in a larger trace', () => {
  it('is an action beside what it sent', () => {
    const { traceId, transactions } = traceFrom(wallet({ to: OTHER, value: 5n }));
    const trace: Trace = {
      traceId,
      transactions: transactions.map((one) =>
        one.hash === traceId ? { ...one, inMessage: null, isTickTock: true } : one,
      ),
    };
    expect(classified(trace)).toMatchObject([
      { type: 'tick_tock', source: USER },
      { type: 'ton_transfer', source: USER, destination: OTHER },
    ]);
  });
});

describe('an item put up for auction', () => {
  const bids = cellOf((builder) => void putAddress(builder, MARKET).coins(3n).coins(90n));
  const addresses = cellOf((builder) => void putAddress(putAddress(builder, MARKET), OTHER));
  const data = cellOf((builder) => {
    const state = putAddress(builder.uint(0, 2), null).coins(0n).uint(0, 32).uint(9, 32);
    putAddress(state, USER).bigUint(0n, 64);
    builder.uint(100, 32).uint(5, 32).uint(100, 32).uint(10, 32).ref(addresses).ref(bids);
  });
  const stateInit = new CellBuilder().uint(0b00, 2).bit(false).bit(true).ref(data).bit(false).cell();
  const moveTo = (newOwner: string, ...sends: Sent[]): Sent => ({
    op: 0x5fcc3d14,
    to: ITEM,
    body: withQuery((builder) => {
      putAddress(putAddress(builder, newOwner), USER).bit(false).coins(0n).bit(false);
    }),
    sends,
  });
  const item: AccountFacts = {
    nftItem: { index: 5n, collection: OTHER, owner: USER, contentUri: null, codeHash: null },
  };
  const auction = (nftOwner: string): AccountFacts => ({
    nftAuction: { nft: ITEM, nftOwner, marketplace: MARKET, lastBid: null, codeHash: null },
  });
  const root = wallet(moveTo(LISTING, { to: VAULT, deploys: true, stateInit }, moveTo(VAULT)));

  it('has its terms from the deploying message, in the newest layout where the code is not known', () => {
    expect(actionsOf(root, { [ITEM]: item, [VAULT]: auction(USER) })[0]).toMatchObject({
      type: 'nft_put_on_auction',
      source: USER,
      source_secondary: LISTING,
      destination: VAULT,
      nft_transfer_data: { marketplace_address: MARKET },
      nft_listing_data: {
        mp_fee_factor: 100,
        mp_fee_base: 5,
        royalty_fee_base: 10,
        min_bid: 3n,
        max_bid: 90n,
        royalty_address: OTHER,
      },
    });
  });

  it('by somebody else than its owner is no listing', () => {
    const types = actionsOf(root, { [ITEM]: item, [VAULT]: auction(OTHER) }).map(({ type }) => type);
    expect(types).not.toContain('nft_put_on_auction');
    expect(types.filter((type) => type === 'nft_transfer')).toHaveLength(2);
  });
});

describe('coffee', () => {
  /** jetton$01 of the master, or native$00. */
  const putAsset = (builder: CellBuilder, master: string | null): CellBuilder =>
    master === null
      ? builder.uint(0, 2)
      : builder
          .uint(1, 2)
          .int(0, 8)
          .bytes(Uint8Array.fromHex(master.slice(2)));
  const putPool = (builder: CellBuilder, assets: readonly (string | null)[]): CellBuilder =>
    assets
      .reduce((to, one) => putAsset(to, one), builder)
      .uint(0, 3)
      .bit(false);
  const deployed = (...sends: Sent[]): Sent => ({ op: 0xc0ffee22, to: VAULT, sends });

  it('a vault is made for an asset', () => {
    const create: Sent = {
      op: 0xc0ffee06,
      to: POOL,
      value: 9n,
      body: withQuery((builder) => void putAsset(builder, MASTER)),
      sends: [deployed({ op: 0x2c76b973, to: MASTER, sends: [{ op: 0xd1735400, to: VAULT }] })],
    };
    expect(actionsOf(wallet(create))).toMatchObject([
      { type: 'coffee_create_vault', source: USER, destination: VAULT, asset: MASTER, value: 9n },
    ]);
  });

  /** The creator of a pool that TON was sent for. */
  const creator = (assets: readonly (string | null)[], ...sends: Sent[]): Sent => ({
    op: 0xc0ffee02,
    to: POOL,
    body: withQuery((builder) => {
      putAddress(putPool(builder.coins(70n), assets), OTHER)
        .bit(false)
        .bit(false)
        .bit(true)
        .bit(false);
    }),
    sends: [{ op: 0xc0ffee23, to: LISTING, sends: [deployed(), ...sends] }],
  });

  it('the creator of a pool waits for the second asset', () => {
    expect(actionsOf(wallet(creator([MASTER, null])))).toMatchObject([
      {
        type: 'coffee_create_pool_creator',
        source: USER,
        destination: OTHER,
        destination_secondary: VAULT,
        asset: null,
        asset2: MASTER,
        asset2_secondary: null,
        amount: 70n,
      },
    ]);
    const extra = { ...creator([MASTER, null]), op: 0xc0ffee03 };
    expect(actionsOf(wallet(extra)).map(({ type }) => type)).not.toContain('coffee_create_pool_creator');
  });

  it('a pool with both assets shows the provided one first', () => {
    const sums = (builder: CellBuilder) => builder.coins(11n).coins(22n);
    const request: Sent = {
      op: 0xc0ffee25,
      to: LISTING,
      body: withQuery((builder) => void putAddress(sums(builder), ITEM)),
      sends: [
        {
          op: 0xc0ffee22,
          to: MARKET,
          sends: [
            { op: 0x178d4519, to: WALLET },
            { op: 0xc0ffee33, to: null, body: withQuery((builder) => void sums(builder).coins(33n)) },
          ],
        },
      ],
    };
    // The contract that a creator deploys sends the request on.
    const root = creator([MASTER, null]);
    const [first] = root.sends!;
    const made: Sent = { ...root, sends: [{ ...first!, sends: [deployed(request)] }] };
    expect(actionsOf(wallet(made))[0]).toMatchObject({
      type: 'coffee_create_pool',
      source: USER,
      destination: MARKET,
      destination_secondary: VAULT,
      asset: null,
      asset2: MASTER,
      coffee_create_pool_data: {
        amount_1: 22n,
        amount_2: 11n,
        initiator_1: ITEM,
        initiator_2: USER,
        provided_asset: null,
        lp_tokens_minted: 33n,
      },
    });
  });

  it('held funds take their block in only where it has the sibling', () => {
    const held: Sent = { op: 0x6bc79e7e, to: VAULT, value: 8n };
    const call = (...sends: Sent[]): Sent => wallet({ op: 0x5, to: OTHER, sends });
    const hold = { type: 'coffee_mev_protect_hold_funds', destination: VAULT, amount: 8n, asset: null };
    expect(actionsOf(call(held))).toMatchObject([{ type: 'call_contract' }, hold]);
    expect(actionsOf(call(held, { op: 0xc0ffeea0, to: POOL }))).toMatchObject([hold]);
    const jettons = transferToPool((builder) => builder.uint(0x6bc79e7e, 32));
    expect(actionsOf(wallet(jettons), WALLETS)).toMatchObject([
      { type: 'coffee_mev_protect_hold_funds', source_secondary: WALLET, asset: MASTER, amount: 30n },
    ]);
  });

  it('a protected swap that failed has no layout', () => {
    expect(actionsOf(wallet({ op: 0xee51ce51, to: VAULT }))).toMatchObject([
      { type: 'coffee_mev_protect_failed_swap', details: null },
    ]);
  });
});

describe('cocoon', () => {
  const answers: readonly Sent[] = [
    { op: 0x2565934c, to: USER },
    { op: 0x65448ff4, to: POOL },
  ];
  const start = (op: number, body: Body, sends = answers, aborted = false): Sent =>
    wallet({ op, to: VAULT, body: withQuery(body), sends, aborted });

  it.each([
    [
      'cocoon_client_register',
      start(0xc45f9f3b, (builder) => void putAddress(builder.bigUint(3n, 64), OTHER)),
      { cocoon_client_register_data: { query_id: 7n, nonce: 3n } },
    ],
    [
      'cocoon_client_change_secret_hash',
      start(0xa9357034, (builder) => void putAddress(builder.bigUint(0xabcn, 256), OTHER)),
      { cocoon_client_change_secret_hash_data: { query_id: 7n, new_secret_hash: 'abc' } },
    ],
    [
      'cocoon_client_increase_stake',
      start(0x6a1f6a60, (builder) => void putAddress(builder.coins(55n), OTHER)),
      { amount: 55n, cocoon_client_increase_stake_data: { query_id: 7n, new_stake: 55n } },
    ],
  ])('%s is a call by the owner with both answers', (type, root, columns) => {
    expect(actionsOf(root)).toMatchObject([
      { type, success: true, source: OTHER, destination: VAULT, ...columns },
    ]);
    const [first] = root.sends!;
    const one = wallet({ ...first!, sends: answers.slice(0, 1) });
    expect(actionsOf(one).map((action) => action.type)).not.toContain(type);
    expect(actionsOf(wallet({ ...first!, aborted: true }))[0]).toMatchObject({ type, success: false });
  });

  it('a refund that is granted fails with its payout', () => {
    const root = (aborted: boolean) =>
      start(0xefd711e1, (builder) => void putAddress(builder.bigUint(4n, 64), OTHER), [
        {
          op: 0x65448ff4,
          to: POOL,
          sends: [
            { op: 0xc59a7cd3, to: ITEM, value: 6n, aborted },
            { op: 0x2565934c, to: USER },
          ],
        },
      ]);
    for (const aborted of [false, true])
      expect(actionsOf(root(aborted))).toMatchObject([
        {
          type: 'cocoon_grant_refund',
          success: !aborted,
          source: VAULT,
          source_secondary: POOL,
          destination: ITEM,
          amount: 6n,
          cocoon_grant_refund_data: { new_tokens_used: 4n, expected_address: OTHER },
        },
      ]);
  });
});

describe('LayerZero verifiers', () => {
  /** The status in the first reference of the first reference of 0x3cb38090. */
  const status = (code: number): Body => {
    const object = cellOf((builder) => {
      builder.bigUint(38421788582694199859296615363593851n, 116).bigUint((1n << 234n) - 1n, 234);
      builder.bigUint(17n, 64).uint(code, 32);
    });
    return (builder) => builder.ref(cellOf((one) => one.ref(object)));
  };
  const root = (body: Body | null): Sent =>
    wallet({
      op: 0xa0d51a8d,
      to: VAULT,
      sends: [
        {
          op: 0x09f047d9,
          to: OTHER,
          sends: [
            {
              op: 0x994aaf4e,
              to: POOL,
              sends: [
                { op: 0x4ec8f80a, to: ITEM, sends: body ? [{ op: 0x3cb38090, to: MARKET, body }] : [] },
              ],
            },
          ],
        },
      ],
    });

  it.each([
    [0x3bbc306b, 'succeeded'],
    [0x7fcbb4ac, 'nonce_out_of_range'],
    [0x29c53fab, 'dvn_not_configured'],
    [5, 'unknown_5'],
  ])('tell the status %i as %s', (code, name) => {
    expect(actionsOf(root(status(code)))).toMatchObject([
      {
        type: 'layerzero_dvn_verify',
        source: USER,
        layerzero_dvn_verify_data: {
          nonce: 17n,
          status: name,
          dvn: VAULT,
          proxy: OTHER,
          uln: POOL,
          uln_connection: ITEM,
        },
        details: { initiator: USER, nonce: 17 },
      },
    ]);
  });

  it('without an answer, or with another object in it, are calls', () => {
    const wrong: Body = (builder) =>
      builder.ref(cellOf((one) => one.ref(cellOf((cell) => cell.uint(1, 32)))));
    for (const one of [null, wrong])
      expect(new Set(actionsOf(root(one)).map(({ type }) => type))).toEqual(new Set(['call_contract']));
  });
});

describe('tgBTC', () => {
  it('a lone log of a new key gives the fallback, in release 1.3 with its key elsewhere', () => {
    const event: Sent = {
      op: 0x27756729,
      to: null,
      body: (builder) => void putAddress(builder.coins(2n).bigUint(0x0abcn, 256), ITEM),
    };
    const root = wallet({ op: 0x690f357a, to: POOL, sends: [event] });
    expect(actionsOf(root)[1]).toMatchObject({
      type: 'tgbtc_new_key_fallback',
      source: null,
      source_secondary: 'abc',
      destination: POOL,
      destination_secondary: ITEM,
      value: null,
    });
    const later = actionsOf(root, {}, { release: '1.3' })[1];
    expect(later).toMatchObject({ source_secondary: null, extra: { pubkey: 'abc' } });
  });
});

describe('jvault', () => {
  const request = (...sends: Sent[]): Sent =>
    wallet({
      op: 0x0168d4b7,
      to: WALLET,
      body: withQuery((builder) => builder.coins(5n)),
      sends,
      aborted: sends.length === 0,
    });
  const full = request({ op: 0xf5c5baa3, to: POOL, sends: [{ op: 0xae9307ce, to: WALLET }] });
  const data = bagOf(cellOf((builder) => void putAddress(putAddress(builder, POOL), MASTER)));

  it('a request to withdraw has no assets where data is missing, and is none where it was cut short too', () => {
    for (const known of [{}, { [WALLET]: { data } }]) {
      const found = {
        type: 'jvault_unstake_request',
        success: true,
        destination: POOL,
        asset: null,
        asset2: null,
      };
      expect(actionsOf(full, known)).toMatchObject([found]);
      expect(actionsOf(request(), known)).toMatchObject([{ type: 'call_contract' }]);
    }
    const known = { [WALLET]: { data }, [POOL]: { lockWallet: VAULT }, [VAULT]: jettonWallet(POOL, ITEM) };
    expect(actionsOf(request(), known)).toMatchObject([
      {
        type: 'jvault_unstake_request',
        success: false,
        destination: POOL,
        asset: ITEM,
        asset2: MASTER,
        opcode: 0,
      },
    ]);
  });
});

describe('dedust', () => {
  const putAsset = (builder: CellBuilder, master: string | null): CellBuilder =>
    master === null
      ? builder.uint(0, 4)
      : builder
          .uint(1, 4)
          .int(0, 8)
          .bytes(Uint8Array.fromHex(master.slice(2)));
  const swapLog: Sent = {
    op: 0x9c610de3,
    to: null,
    body: (builder) => putAsset(putAsset(builder, null), MASTER).coins(40n).coins(12n),
  };
  const swap = (...logs: Sent[]): Sent =>
    wallet({
      op: 0xea06185d,
      to: VAULT,
      body: withQuery((builder) => {
        putAddress(builder.coins(40n), POOL).bit(false).coins(0n).bit(false);
      }),
      sends: [
        {
          op: 0x61ee542d,
          to: POOL,
          sends: [
            {
              op: 0xad4eb6f5,
              to: OTHER,
              body: withQuery((builder) => builder.ref(new CellBuilder().cell()).coins(40n)),
              sends: [{ op: 0x474f86cf, to: USER, value: 40n }],
            },
            ...logs,
          ],
        },
      ],
    });

  it('the assets of a pool are known by its log, and a pool without one has to be known', () => {
    expect(actionsOf(swap(swapLog))).toMatchObject([
      { type: 'jetton_swap', success: true, asset: null, asset2: MASTER, source: USER },
    ]);
    expect(actionsOf(swap()).map(({ type }) => type)).not.toContain('jetton_swap');
    expect(actionsOf(swap(), { [POOL]: { pool: { assets: [MASTER, null] } } })).toMatchObject([
      { type: 'jetton_swap', success: false, asset2: MASTER },
    ]);
  });

  it.each([
    ['of a deposit', 0x40e108d6],
    ['of something else', 0x12345678],
  ])('a deposit of both assets is told by what the pool was asked, with a payload %s', (_, op) => {
    const sums = cellOf((one) => putAsset(putAsset(one, null).coins(8n), MASTER).coins(9n));
    const atPool: Sent = {
      op: 0xb56b9598,
      to: POOL,
      body: withQuery((builder) => {
        putAddress(builder.ref(new CellBuilder().cell()), USER).coins(0n).ref(sums);
      }),
      sends: [
        {
          op: 0x178d4519,
          to: ITEM,
          body: withQuery((builder) => putAddress(putAddress(builder.coins(4n), USER), USER).coins(0n)),
        },
      ],
    };
    const [transfer] = wallet(transferToPool(() => {})).sends as [Sent];
    const [arrived] = transfer.sends as [Sent];
    const payload: Body = (builder) =>
      putAsset(putAsset(builder.uint(op, 32).bit(false), null), MASTER)
        .coins(1n)
        .coins(8n)
        .coins(9n);
    const notice: Sent = {
      op: 0x7362d09c,
      to: VAULT,
      body: withQuery((builder) => {
        putAddress(builder.coins(30n), USER).bit(true).ref(cellOf(payload));
      }),
      sends: [{ op: 0xf04ec526, to: OTHER, sends: [{ op: 0x54240fe5, to: LISTING, sends: [atPool] }] }],
    };
    const deposit = wallet({ ...transfer, sends: [{ ...arrived, sends: [{ ...notice }] }] });
    const fromVault = { ...WALLETS, [POOL_WALLET]: jettonWallet(VAULT, MASTER) };
    // The notification comes from the vault's wallet.
    expect(actionsOf(deposit, fromVault)).toMatchObject([
      {
        type: 'dex_deposit_liquidity',
        success: true,
        source: USER,
        destination: POOL,
        destination_secondary: LISTING,
        dex_deposit_liquidity_data: {
          asset1: MASTER,
          amount1: 30n,
          user_jetton_wallet_1: WALLET,
          lp_tokens_minted: 4n,
          target_amount_1: 8n,
          target_amount_2: 9n,
        },
      },
    ]);
  });

  it('a log of another contract that begins the same is not read', () => {
    const broken: Sent = { op: 0x9c610de3, to: null, body: (builder) => builder.uint(15, 4) };
    expect(actionsOf(wallet({ op: 0x5, to: POOL, sends: [broken] }))).toMatchObject([
      { type: 'call_contract' },
    ]);
  });
});

describe('EVAA', () => {
  it('an asset of a liquidation is that of the network', () => {
    const id = 0xb387968236197958ca4ac55e9b5be38e688c7631af84c86756431f49a878ef33n;
    const root = wallet({
      op: 3,
      to: POOL,
      body: withQuery((builder) => {
        putAddress(putAddress(builder, OTHER), USER);
        builder.bigUint(id, 256).bigUint(0n, 64).uint(0, 2).bigUint(9n, 64);
      }),
      sends: [{ op: 0xffffffff, to: USER }],
    });
    const assets = [false, true].map((isTestnet) => {
      const [first] = actionsOf(root, {}, { isTestnet });
      expect(first).toMatchObject({ type: 'evaa_liquidate', success: false });
      return (first!.details as { asset: string }).asset.slice(0, 10);
    });
    expect(assets).toEqual(['0:729C13B6', '0:5EE20B52']);
  });
});
