import { describe, expect, it } from 'vitest';
import { ZERO_HASH } from '../../../src/api/entities/accounts/none-account.ts';
import type { TransactionRow } from '../../../src/api/entities/transactions/model.ts';
import { descriptionAnswer } from '../../../src/api/v3/schemas/description.ts';

/* Kinds and phases that the shared blocks do not hold: split, merge and storage transactions, rare phases. */

const NOTHING = {
  workchain: 0,
  aborted: false,
  destroyed: true,
  credit_first: true,
  is_tock: false,
  installed: true,
  storage_status_change: 'none',
  storage_fees_due: null,
  has_credit: false,
  credit_extra: {},
  credit_due_fees_collected: null,
  compute_type: 'none',
  has_action: false,
  bounce_type: 'none',
  split_info: null,
};
const describeRow = (fields: object) => descriptionAnswer({ ...NOTHING, ...fields } as TransactionRow);

describe('descriptions', () => {
  it.each([
    ['ord', { type: 'ord', aborted: false, destroyed: true, credit_first: true }],
    ['storage', { type: 'storage' }],
    ['tick_tock', { type: 'tick_tock', aborted: false, destroyed: true, is_tock: false }],
    ['split_prepare', { type: 'split_prepare', aborted: false, destroyed: true }],
    ['split_install', { type: 'split_install', installed: true }],
    ['merge_prepare', { type: 'merge_prepare', aborted: false }],
    ['merge_install', { type: 'merge_install', aborted: false, destroyed: true }],
  ])('%s has its own fields and no phase that did not happen', (type, wanted) => {
    expect(describeRow({ type })).toEqual(wanted);
  });

  it('shows debts only if there are any', () => {
    const phases = {
      type: 'storage',
      storage_status_change: 'frozen',
      storage_fees_collected: '5',
      has_credit: true,
      credit: '7',
    };
    expect(describeRow(phases)).toEqual({
      type: 'storage',
      storage_ph: { storage_fees_collected: '5', status_change: 'frozen' },
      credit_ph: { credit: '7' },
    });
    expect(
      describeRow({
        ...phases,
        storage_fees_due: '1',
        credit_due_fees_collected: '2',
        credit_extra: { '100': '3' },
      }),
    ).toEqual({
      type: 'storage',
      storage_ph: { storage_fees_collected: '5', storage_fees_due: '1', status_change: 'frozen' },
      credit_ph: { due_fees_collected: '2', credit: '7', credit_extra_currencies: { '100': '3' } },
    });
  });

  it('has the reason why computing was skipped, and no other field of it', () => {
    const row = {
      type: 'storage',
      compute_type: 'skipped',
      compute_skip_reason: 'no_gas',
      compute_exit_code: 1,
    };
    expect(describeRow(row)).toEqual({ type: 'storage', compute_ph: { skipped: true, reason: 'no_gas' } });
  });

  it('shows the optional numbers of computing and of actions if they are present', () => {
    const row = {
      type: 'storage',
      compute_type: 'vm',
      compute_success: true,
      compute_msg_state_used: false,
      compute_account_activated: false,
      compute_gas_fees: '1',
      compute_gas_used: '2',
      compute_gas_limit: '3',
      compute_gas_credit: 10000,
      compute_mode: -1,
      compute_exit_code: 0,
      compute_exit_arg: -7,
      compute_vm_steps: 4,
      compute_vm_init_state_hash: ZERO_HASH,
      compute_vm_final_state_hash: ZERO_HASH,
    };
    const { compute_ph: phase } = describeRow(row);
    expect(phase).toMatchObject({ skipped: false, gas_credit: '10000', mode: -1, exit_arg: -7 });
    const { compute_ph: bare } = describeRow({ ...row, compute_gas_credit: null, compute_exit_arg: null });
    expect(Object.keys(bare ?? {})).not.toEqual(expect.arrayContaining(['gas_credit']));
    expect(bare).not.toHaveProperty('exit_arg');
  });

  it.each([
    ['negfunds', { type: 'negfunds' }],
    ['nofunds', { type: 'nofunds', msg_size: { cells: '1', bits: '2' }, req_fwd_fees: '3' }],
    ['ok', { type: 'ok', msg_size: { cells: '1', bits: '2' }, msg_fees: '4', fwd_fees: '5' }],
  ])('bounce %s', (bounce_type, wanted) => {
    const fees = { bounce_req_fwd_fees: '3', bounce_msg_fees: '4', bounce_fwd_fees: '5' };
    const row = { type: 'storage', bounce_type, bounce_msg_cells: '1', bounce_msg_bits: '2', ...fees };
    expect(describeRow(row)).toEqual({ type: 'storage', bounce: wanted });
  });

  it('shows both accounts of a split', () => {
    const split_info = new Uint8Array(66).fill(0xaa, 2, 34).fill(0xbb, 34, 66);
    split_info[0] = 3;
    split_info[1] = 4;
    expect(describeRow({ type: 'storage', split_info })).toEqual({
      type: 'storage',
      split_info: {
        cur_shard_pfx_len: 3,
        acc_split_depth: 4,
        this_addr: `0:${'AA'.repeat(32)}`,
        sibling_addr: `0:${'BB'.repeat(32)}`,
      },
    });
  });
});
