/**
 * Tables of the peer's schema (toncenter/ton-indexer) that questions read, as PostgreSQL 15 keeps them: hashes and
 * addresses are bytes, as in its extension, indexes are those of its scripts. The lake has the same columns by name.
 */
export interface PeerTable {
  readonly name: string;
  /** Table of the lake that has the rows. */
  readonly from: string;
  /** Columns of the lake that the peer keeps elsewhere or not at all. */
  readonly without: readonly string[];
  readonly keys: readonly string[];
  readonly indexes: readonly string[];
}

const DATES = ['block_time', 'block_date'];

export const PEER_TABLES: readonly PeerTable[] = [
  {
    name: 'blocks',
    from: 'blocks',
    without: DATES,
    keys: ['workchain', 'shard', 'seqno'],
    indexes: ['(gen_utime)', '(mc_block_seqno)', '(seqno) WHERE workchain = -1', '(start_lt)'],
  },
  {
    name: 'transactions',
    from: 'transactions',
    without: [
      ...DATES,
      'account_state_code_hash_before',
      'account_state_code_hash_after',
      'account_state_balance_before',
      'account_state_balance_after',
    ],
    keys: ['hash', 'lt'],
    indexes: [
      '(block_workchain, block_shard, block_seqno)',
      '(lt)',
      '(now, lt)',
      '(account, lt)',
      '(account, now, lt)',
      '(trace_id, lt)',
      '(mc_block_seqno)',
    ],
  },
  {
    name: 'messages',
    from: 'messages',
    without: [...DATES, 'tx_now', 'body_boc', 'comment', 'init_state_boc'],
    keys: ['tx_hash', 'tx_lt', 'msg_hash', 'direction'],
    indexes: [
      '(msg_hash)',
      '(source, created_lt)',
      '(destination, created_lt)',
      '(body_hash)',
      '(trace_id, tx_lt)',
      '(opcode)',
    ],
  },
  {
    name: 'latest_account_states',
    from: 'accounts',
    without: [
      ...DATES,
      'last_tx_at',
      'interfaces',
      'deployment_tx_hash',
      'deployment_at',
      'deployment_by_external',
      'initial_funding_tx_hash',
      'initial_funding_at',
      'first_tx_sender',
    ],
    keys: ['address'],
    indexes: ['(balance DESC)', '(address) INCLUDE (code_hash, status)'],
  },
];

/** A column of the lake. */
export interface LakeColumn {
  readonly name: string;
  /** ClickHouse's type. */
  readonly type: string;
}

const isHash = (name: string) => /hash$|^trace_id$|^rand_seed$|^created_by$/.test(name);
const isAddress = (name: string) => /^(account|address|source|destination)$/.test(name);

/** PostgreSQL's type of a column. */
export function peerType({ name, type }: LakeColumn): string {
  const plain = type
    .replace(/^(?:Nullable|LowCardinality)\((.*)\)$/, '$1')
    .replace(/^Nullable\((.*)\)$/, '$1');
  if (isHash(name) || isAddress(name)) return 'bytea';
  if (/^U?Int(8|16)$|^Int32$/.test(plain)) return 'integer';
  if (/^UInt32$|^U?Int64$/.test(plain)) return 'bigint';
  if (plain === 'Bool') return 'boolean';
  return /^U?Int|^Decimal/.test(plain) ? 'numeric' : 'text';
}

/** Expression of ClickHouse that gives a column in PostgreSQL's text form. */
export function peerValue({ name }: LakeColumn): string {
  if (isHash(name)) return `concat('\\\\x', hex(base64Decode(${name})))`;
  if (isAddress(name))
    return `concat('\\\\x', if(startsWith(${name}, '-1:'), 'ffffffff', '00000000'), splitByChar(':', ${name})[2])`;
  return name;
}
