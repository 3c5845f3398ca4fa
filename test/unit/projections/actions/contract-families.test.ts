import { describe, expect, it } from 'vitest';
import { classifyTrace } from '../../../../src/projections/actions/classify.ts';
import type { RulesRelease } from '../../../../src/projections/actions/match/context.ts';
import { LoadedFacts } from '../../../../src/projections/actions/model/contract-facts.ts';
import { recordedColumns } from '../../../../src/projections/actions/out/recorded-columns.ts';
import { CellBuilder } from '../../../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../../../src/ton/cell/write-bag.ts';
import type { AccountFacts } from '../../../../src/ton/contracts/account-facts.ts';
import { address, comment, putAddress, type Sent, traceFrom } from '../../../helpers/action-traces.ts';

const [WALLET, OTHER, CONTRACT, ITEM] = [...'wocd'].map(address) as [string, string, string, string];
const ELECTOR = `-1:${'3'.repeat(64)}`;
const DOMAIN: AccountFacts = {
  nftItem: {
    index: 1n,
    collection: '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF',
    owner: null,
    contentUri: null,
    codeHash: null,
  },
};

function actionsOf(
  sent: Sent,
  known: Readonly<Record<string, AccountFacts>> = {},
  release: RulesRelease = '1.2',
) {
  const facts = new LoadedFacts();
  for (const [account, one] of Object.entries(known)) facts.add(account, one);
  const { actions, problems } = classifyTrace(traceFrom({ to: WALLET, sends: [sent] }), facts, { release });
  expect(problems).toEqual([]);
  return actions.filter(({ parentActionId }) => parentActionId === null);
}

const columnsOf = (...given: Parameters<typeof actionsOf>) => actionsOf(...given).map(recordedColumns);

describe('DNS', () => {
  const change = (key: bigint, record?: (builder: CellBuilder) => void): Sent => ({
    op: 0x4eb1f0f9,
    to: ITEM,
    body: (builder) => {
      builder.bigUint(0n, 64).bigUint(key, 256);
      if (!record) return;
      const value = new CellBuilder();
      record(value);
      builder.ref(value.cell());
    },
  });

  it('a record is changed, deleted or renewed', () => {
    const [set] = actionsOf(change(1n, (value) => void putAddress(value.uint(0x9fd3, 16), OTHER).uint(2, 8)));
    expect(set).toMatchObject({
      type: 'change_dns',
      columns: { change_dns_record_data: { value_schema: 'DNSSmcAddress', value: OTHER, flags: 2 } },
      details: { value: { sum_type: 'DNSSmcAddress', dns_smc_address: OTHER, flags: 2, dns_text: null } },
    });
    expect(actionsOf(change(1n))[0]).toMatchObject({ type: 'delete_dns', details: { asset: ITEM } });
    expect(actionsOf(change(0n))[0]).toMatchObject({ type: 'renew_dns' });
  });

  it('a text is read over its chunks', () => {
    const next = new CellBuilder().uint(2, 8).bytes(new TextEncoder().encode('cd')).cell();
    const [set] = columnsOf(
      change(1n, (value) =>
        value.uint(0x1eda, 16).uint(2, 8).uint(2, 8).bytes(new TextEncoder().encode('ab')).ref(next),
      ),
    );
    expect(set).toMatchObject({ change_dns_record_data: { value_schema: 'DNSText', value: 'abcd' } });
  });

  it('a domain is released, and bought below a call', () => {
    const known = { [ITEM]: DOMAIN };
    expect(columnsOf({ op: 0x4ed14b65, to: ITEM, value: 3n }, known)).toMatchObject([
      { type: 'dns_release', destination: ITEM, value: 3n, nft_transfer_data: { query_id: null } },
    ]);
    const bought: Sent = { op: 0x99, to: ITEM, sends: [{ op: 0x370fec51, to: OTHER, value: 8n }] };
    expect(columnsOf(bought, known)).toMatchObject([
      { type: 'call_contract' },
      { type: 'dns_purchase', destination: WALLET, nft_transfer_data: { price: 8n, payout_amount: 8n } },
    ]);
  });
});

describe('the elector', () => {
  it('takes a stake, and gives it back', () => {
    const deposit = (...sends: Sent[]): Sent => ({ op: 0x4e73744b, to: ELECTOR, value: 9n, sends });
    expect(columnsOf(deposit({ op: 0xf374484c, to: WALLET }))).toMatchObject([
      { type: 'election_deposit', source: WALLET, amount: 9n, success: true },
    ]);
    expect(columnsOf(deposit())).toMatchObject([{ type: 'election_deposit', success: false }]);
    expect(columnsOf({ ...deposit(), to: OTHER })).toMatchObject([{ type: 'call_contract' }]);
    const recover: Sent = {
      op: 0x47657424,
      to: ELECTOR,
      sends: [{ op: 0xf96f7324, to: WALLET, value: 7n }],
    };
    expect(columnsOf(recover)).toMatchObject([{ type: 'election_recover', amount: 7n, success: true }]);
  });
});

describe('subscriptions', () => {
  it('the amount is that of the request, or else of the confirmation', () => {
    const confirmed: Sent = {
      op: 0xf06c7567,
      to: CONTRACT,
      value: 6n,
      sends: [{ op: 0x73756273, to: OTHER }],
    };
    expect(columnsOf(confirmed)).toMatchObject([
      { type: 'subscribe', source: WALLET, destination: OTHER, destination_secondary: CONTRACT, amount: 6n },
    ]);
    const requested: Sent = {
      op: 0x706c7567,
      to: WALLET,
      aborted: true,
      body: (builder) => builder.bigUint(0n, 64).coins(4n),
      sends: [confirmed],
    };
    expect(columnsOf(requested)).toMatchObject([{ type: 'subscribe', amount: 4n, success: false }]);
  });

  it('the end of a plugin names the beneficiary', () => {
    const end: Sent = { op: 0x64737472, to: CONTRACT, sends: [{ op: 0x64737472, to: OTHER }] };
    expect(columnsOf(end)).toMatchObject([
      { type: 'unsubscribe', source: WALLET, destination: OTHER, destination_secondary: CONTRACT },
    ]);
  });
});

describe('multisig', () => {
  const order = new CellBuilder().uint(1, 8).cell();
  const known = { [CONTRACT]: { multisigOrder: { signers: [OTHER] } } };

  const signers = new CellBuilder().uint(2, 8).cell();
  it.each<[string, boolean, (builder: CellBuilder) => void]>([
    ['a reference to its signers', true, (builder) => builder.ref(signers)],
    ['a reference to its signers, by a proposer', false, (builder) => builder.ref(signers)],
    ['a dictionary that may be empty', true, (builder) => builder.bit(false)],
    ['a dictionary that may be empty and is not', false, (builder) => builder.bit(true).ref(signers)],
  ])('an order is created, its signers take part: %s', (_, isSigned, putSigners) => {
    const init: Sent = {
      op: 0x9c73fba2,
      to: CONTRACT,
      body: (builder) => {
        putSigners(builder.bigUint(3n, 64).uint(2, 8));
        builder.bigUint(99n, 48).ref(order).bit(isSigned);
        if (isSigned) builder.uint(0, 8);
      },
    };
    const created: Sent = {
      op: 0xf718510f,
      to: ITEM,
      body: (builder) =>
        builder.bigUint(3n, 64).bigUint(5n, 256).bit(true).uint(1, 8).bigUint(99n, 48).ref(order),
      sends: [init],
    };
    const [action, ...others] = columnsOf(created, known);
    expect(others).toEqual([]);
    expect(action).toMatchObject({
      type: 'multisig_create_order',
      destination: ITEM,
      destination_secondary: CONTRACT,
      accounts: expect.arrayContaining([OTHER]),
      multisig_create_order_data: {
        order_seqno: 5n,
        is_created_by_signer: true,
        is_signed_by_creator: isSigned,
        creator_index: 1,
        expiration_date: 99,
        order_boc: writeBag(order, { index: false, crc: false }).toBase64(),
      },
    });
  });

  it('a vote is accepted, rejected with its code, or none without an answer', () => {
    const vote = (...sends: Sent[]): Sent => ({ op: 0, to: CONTRACT, body: comment('approve'), sends });
    expect(columnsOf(vote({ op: 0x82609bf6, to: WALLET }), known)).toMatchObject([
      { type: 'multisig_approve', success: true, multisig_approve_data: { signer_index: -1, exit_code: 0 } },
    ]);
    const rejected: Sent = {
      op: 0xafaf283e,
      to: WALLET,
      body: (builder) => builder.bigUint(0n, 64).uint(77, 32),
    };
    expect(columnsOf(vote(rejected), known)).toMatchObject([
      { type: 'multisig_approve', success: false, multisig_approve_data: { exit_code: 77 } },
    ]);
    expect(columnsOf(vote(), known)).toMatchObject([{ type: 'ton_transfer' }]);
  });

  it('an order is executed by a known order alone', () => {
    const execute: Sent = {
      op: 0x75097f5d,
      to: ITEM,
      body: (builder) =>
        builder.bigUint(1n, 64).bigUint(2n, 256).bigUint(3n, 48).uint(4, 8).bigUint(5n, 256).ref(order),
    };
    const byOrder: Sent = { op: 0xa762230f, to: CONTRACT, sends: [execute] };
    expect(columnsOf(byOrder, known).at(-1)).toMatchObject({
      type: 'multisig_execute',
      source: CONTRACT,
      multisig_execute_data: { order_seqno: 2n, approvals_num: 4 },
    });
    expect(columnsOf(execute).at(-1)).toMatchObject({ type: 'call_contract' });
  });
});

describe('vesting', () => {
  const message = putAddress(new CellBuilder().uint(0b0110, 4).uint(0, 2), OTHER)
    .coins(5n)
    .bit(false)
    .coins(0n)
    .coins(0n)
    .bigUint(0n, 96)
    .uint(0, 2)
    .uint(0, 32)
    .cell();
  const send = (...sends: Sent[]): Sent => ({
    op: 0xa7733acd,
    to: CONTRACT,
    body: (builder) => builder.bigUint(8n, 64).uint(3, 8).ref(message),
    sends: [{ op: 0xf7733acd, to: WALLET }, ...sends],
  });

  it('since 1.3 a message that was not sent is a failure', () => {
    const successOf = (sent: Sent, release: RulesRelease) => actionsOf(sent, {}, release)[0]!.success;
    expect(columnsOf(send())).toMatchObject([
      { type: 'vesting_send_message', destination_secondary: OTHER, amount: 5n, success: true },
    ]);
    expect(successOf(send(), '1.3')).toBe(false);
    expect(successOf(send({ op: 0, to: OTHER, value: 5n }), '1.3')).toBe(true);
  });

  it('a whitelist grows by every address of the chain', () => {
    const rest = putAddress(new CellBuilder(), ITEM).cell();
    const add: Sent = {
      op: 0x7258a69b,
      to: CONTRACT,
      body: (builder) => putAddress(builder.bigUint(8n, 64), OTHER).ref(rest),
      sends: [{ op: 0xf258a69b, to: WALLET }],
    };
    expect(columnsOf(add)).toMatchObject([
      { type: 'vesting_add_whitelist', vesting_add_whitelist_data: { accounts_added: [OTHER, ITEM] } },
    ]);
  });
});
