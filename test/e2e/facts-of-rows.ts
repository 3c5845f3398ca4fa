/** Rebuilds the facts of a block from its rows, in the words of the decoder that wrote the facts. */
import {
  type PackedAddress,
  type PackedMessage,
  unpackMessages,
} from '../../src/ton/columns/message-pack.ts';
import type { Facts, Rows } from './facts-blocks.ts';

type BlockRow = Rows['blocks'][number];
type TransactionRow = Rows['transactions'][number];

const STATUS: Record<string, string> = {
  nonexist: 'non-existing',
  uninit: 'uninitialized',
  active: 'active',
  frozen: 'frozen',
};
const TYPE: Record<string, string> = { ord: 'generic', tick_tock: 'tick-tock' };
const KIND = { internal: 'internal', ext_in: 'external-in', ext_out: 'external-out' };

const shardHex = (shard: bigint) => shard.toString(16).padStart(16, '0');

/** Drops the keys whose value is undefined: the facts leave out what is not there. */
function present(facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

export function factsOfRows(rows: Rows): Facts {
  const block = rows.blocks[0] as BlockRow;
  const masterchain = block.workchain === -1;
  return present({
    ...headFacts(block),
    prev_refs: [
      refFacts(block.prev_end_lt, block.prev_seqno, block.prev_root_hash, block.prev_file_hash),
      ...(block.after_merge
        ? [refFacts(block.prev2_end_lt, block.prev2_seqno, block.prev2_root_hash, block.prev2_file_hash)]
        : []),
    ],
    master_ref: masterchain
      ? undefined
      : refFacts(
          block.master_ref_end_lt,
          block.master_ref_seqno,
          block.master_ref_root_hash,
          block.master_ref_file_hash,
        ),
    state_hash_before: block.state_hash_before.toHex(),
    state_hash_after: block.state_hash_after.toHex(),
    value_flow_tag: block.value_flow_tag.toString(16),
    rand_seed: block.rand_seed.toHex(),
    created_by: block.created_by.toHex(),
    in_msg_descr_count: block.in_msg_descr_count,
    out_msg_descr_count: block.out_msg_descr_count,
    account_blocks: block.account_blocks,
    tx_count: block.tx_count,
    shards: masterchain
      ? rows.shards.map(({ workchain, shard, seqno }) => ({ workchain, shard: shardHex(shard), seqno }))
      : undefined,
    transactions: rows.transactions.map(transactionFacts),
  });
}

function headFacts(block: BlockRow): Facts {
  return {
    root_hash: block.root_hash.toHex(),
    boc_sha256: block.file_hash.toHex(),
    boc_bytes: block.boc_bytes,
    global_id: block.global_id,
    version: block.version,
    workchain: block.workchain,
    shard: shardHex(block.shard),
    seqno: block.seqno,
    gen_utime: block.gen_utime,
    gen_time: new Date(block.gen_utime * 1000).toISOString().replace('.000Z', 'Z'),
    start_lt: String(block.start_lt),
    end_lt: String(block.end_lt),
    is_masterchain: block.workchain === -1,
    key_block: block.key_block,
    after_merge: block.after_merge,
    after_split: block.after_split,
    before_split: block.before_split,
    want_merge: block.want_merge,
    want_split: block.want_split,
    vert_seqno: block.vert_seqno,
    vert_seqno_incr: block.vert_seqno_incr,
    flags: block.flags,
    validator_list_hash_short: block.validator_list_hash_short,
    catchain_seqno: block.gen_catchain_seqno,
    min_ref_mc_seqno: block.min_ref_mc_seqno,
    prev_key_block_seqno: block.prev_key_block_seqno,
    gen_software:
      block.flags & 1
        ? { version: block.gen_software_version, capabilities: String(block.gen_software_capabilities) }
        : undefined,
  };
}

function refFacts(endLt: bigint, seqno: number, rootHash: Uint8Array, fileHash: Uint8Array): Facts {
  return { end_lt: String(endLt), seqno, root_hash: rootHash.toHex(), file_hash: fileHash.toHex() };
}

function transactionFacts(row: TransactionRow): Facts {
  const messages = unpackMessages(row.messages);
  const incoming = messages.find((message) => message.direction === 'in');
  return present({
    hash: row.hash.toHex(),
    account: `${row.workchain}:${row.account.toHex()}`,
    lt: String(row.lt),
    prev_trans_hash: row.prev_trans_hash.toHex(),
    prev_trans_lt: String(row.prev_trans_lt),
    now: row.now,
    orig_status: STATUS[row.orig_status],
    end_status: STATUS[row.end_status],
    total_fees: String(row.total_fees),
    type: TYPE[row.type],
    aborted: row.aborted,
    destroyed: row.destroyed,
    credit_first: row.type === 'ord' ? row.credit_first : undefined,
    is_tock: row.type === 'tick_tock' ? row.is_tock : undefined,
    state_hash_before: row.state_hash_before.toHex(),
    state_hash_after: row.state_hash_after.toHex(),
    ...phaseFacts(row),
    in_msg: incoming ? messageFacts(incoming) : null,
    out_msgs: messages.filter((message) => message.direction === 'out').map(messageFacts),
  });
}

const optional = (value: bigint | null) => (value === null ? undefined : String(value));

function phaseFacts(row: TransactionRow): Facts {
  return {
    storage:
      row.storage_status_change === 'none'
        ? undefined
        : present({
            fees_collected: String(row.storage_fees_collected),
            fees_due: optional(row.storage_fees_due),
            status_change: row.storage_status_change,
          }),
    credit: row.has_credit
      ? present({
          due_fees_collected: optional(row.credit_due_fees_collected),
          credit: String(row.credit),
        })
      : undefined,
    compute: computeFacts(row),
    action: row.has_action ? actionFacts(row) : undefined,
    bounce:
      row.bounce_type === 'none'
        ? undefined
        : { nofunds: 'no-funds', negfunds: 'negative-funds', ok: 'ok' }[row.bounce_type],
  };
}

function computeFacts(row: TransactionRow): Facts | undefined {
  if (row.compute_type === 'none') return undefined;
  if (row.compute_type === 'skipped') {
    return { skipped: true, reason: row.compute_skip_reason.replace('_', '-') };
  }
  return present({
    skipped: false,
    success: row.compute_success,
    msg_state_used: row.compute_msg_state_used,
    account_activated: row.compute_account_activated,
    gas_fees: String(row.compute_gas_fees),
    gas_used: String(row.compute_gas_used),
    gas_limit: String(row.compute_gas_limit),
    gas_credit: row.compute_gas_credit === null ? undefined : String(row.compute_gas_credit),
    mode: row.compute_mode,
    exit_code: row.compute_exit_code,
    exit_arg: row.compute_exit_arg ?? undefined,
    vm_steps: row.compute_vm_steps,
  });
}

function actionFacts(row: TransactionRow): Facts {
  return present({
    success: row.action_success,
    valid: row.action_valid,
    no_funds: row.action_no_funds,
    status_change: row.action_status_change,
    total_fwd_fees: optional(row.action_total_fwd_fees),
    total_action_fees: optional(row.action_total_action_fees),
    result_code: row.action_result_code,
    result_arg: row.action_result_arg ?? undefined,
    tot_actions: row.action_tot_actions,
    spec_actions: row.action_spec_actions,
    skipped_actions: row.action_skipped_actions,
    msgs_created: row.action_msgs_created,
    action_list_hash: row.action_list_hash.toHex(),
    tot_msg_size: { cells: String(row.action_tot_msg_cells), bits: String(row.action_tot_msg_bits) },
  });
}

function messageFacts(message: PackedMessage): Facts {
  const internal = message.kind === 'internal';
  const external = message.kind === 'ext_in';
  return present({
    hash: message.hash.toHex(),
    type: KIND[message.kind],
    src: addressFacts(message.source),
    dst: addressFacts(message.destination),
    value: internal ? String(message.value) : undefined,
    value_extra:
      message.valueExtra.length > 0
        ? Object.fromEntries(message.valueExtra.map(([id, amount]) => [id, String(amount)]))
        : undefined,
    bounce: internal ? message.bounce : undefined,
    bounced: internal ? message.bounced : undefined,
    ihr_disabled: internal ? message.ihrDisabled : undefined,
    // The facts know no extra flags: they call the field by its old name in all blocks.
    ihr_fee: internal ? String(message.ihrFee + (message.extraFlags ?? 0n)) : undefined,
    fwd_fee: internal ? String(message.fwdFee) : undefined,
    import_fee: external ? String(message.importFee) : undefined,
    created_lt: external ? undefined : String(message.createdLt),
    created_at: external ? undefined : message.createdAt,
    body_hash: message.bodyHash.toHex(),
    opcode: message.opcode === null ? undefined : `0x${message.opcode.toString(16).padStart(8, '0')}`,
    has_init: message.init ? true : undefined,
  });
}

function addressFacts(address: PackedAddress): string | null {
  switch (address.kind) {
    case 'none':
      return null;
    case 'std':
      return `${address.workchain}:${address.hash.toHex()}`;
    case 'extern': {
      const { bits, bitLength } = address;
      const value = BigInt(`0x0${bits.toHex()}`) >> BigInt(bits.length * 8 - bitLength);
      return `External<${bitLength}:${value}>`;
    }
    case 'var':
      return `var:${address.workchain}:${address.bits.toHex()}`;
  }
}
