/** Rows of the lake, from answers of the API over the same index. */
import type { LakeServer, Row } from './lake-server.ts';
import { toRootHash, toSortedJson, toTime } from './lake-values.ts';

type Item = Readonly<Record<string, never>>;

const PAGE = 100;

/** All items of a list. */
export async function list(
  server: LakeServer,
  route: string,
  field: string,
  query = '',
): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (;;) {
    const answer = await server.get(`${route}?limit=${PAGE}&offset=${found.length}${query}`);
    const page = answer[field] as readonly Item[];
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

const signed = (shard: unknown) => BigInt.asIntN(64, BigInt(`0x${shard}`));
/** The address; null for what the API writes for none. */
const address = (text: unknown) => (text === '' || text === 'addr_none' ? null : text);

/** Rows of `blocks`. */
export async function apiBlocks(server: LakeServer): Promise<readonly Row[]> {
  const blocks = await list(server, 'blocks', 'blocks', '&sort=asc');
  return blocks.map(({ shard, masterchain_block_ref, prev_blocks: _, master_ref_seqno, ...block }) => ({
    ...(block as Row),
    shard: signed(shard),
    mc_block_workchain: -1,
    mc_block_shard: -(2n ** 63n),
    mc_block_seqno: (masterchain_block_ref as { readonly seqno: number }).seqno,
    master_ref_seqno: block.workchain === -1 ? null : master_ref_seqno,
  }));
}

/** Rows of `traces`. */
export async function apiTraces(server: LakeServer): Promise<readonly Row[]> {
  const traces = await list(server, 'traces', 'traces', '&sort=asc&include_actions=false');
  return traces.map(({ trace_info, ...trace }) => {
    const { messages, transactions, pending_messages } = trace_info as Row;
    const {
      trace_id,
      external_hash,
      mc_seqno_start,
      mc_seqno_end,
      start_lt,
      start_utime,
      end_lt,
      end_utime,
    } = trace;
    const state = (trace_info as Row).trace_state;
    const times = { mc_seqno_start, mc_seqno_end, start_lt, start_utime, end_lt, end_utime };
    return { trace_id, external_hash, state, ...times, messages, transactions, pending_messages };
  });
}

/** Rows of `accounts` with the given addresses. */
export async function apiAccounts(server: LakeServer, addresses: readonly string[]): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let at = 0; at < addresses.length; at += 50) {
    const query = addresses.slice(at, at + 50).map((one) => `address=${encodeURIComponent(one)}`);
    const { accounts } = (await server.get(`accountStates?include_boc=false&${query.join('&')}`)) as {
      accounts: readonly Item[];
    };
    for (const {
      address: account,
      status,
      balance,
      code_hash,
      last_transaction_hash,
      interfaces,
    } of accounts)
      found.push({
        ...{ address: account, status, balance, code_hash, interfaces },
        last_tx_hash: last_transaction_hash,
      });
  }
  return found;
}

/** Rows of `jetton_events` that are transfers and burns. */
export async function apiJettonEvents(server: LakeServer): Promise<readonly Row[]> {
  const transfers = await list(server, 'jetton/transfers', 'jetton_transfers');
  const burns = await list(server, 'jetton/burns', 'jetton_burns');
  const common = (event: Item) => ({
    tx_hash: event.transaction_hash,
    tx_lt: event.transaction_lt,
    utime: event.transaction_now,
    trace_id: event.trace_id,
    tx_aborted: event.transaction_aborted,
    query_id: event.query_id,
    amount: event.amount,
    jetton_master: event.jetton_master,
    response_destination: address(event.response_destination),
    ...payloads(event),
  });
  return [
    ...transfers.map((event) => ({
      ...common(event),
      type: 'transfer',
      source: address(event.source),
      destination: address(event.destination),
      jetton_wallet: event.source_wallet,
      forward_ton_amount: event.forward_ton_amount,
    })),
    ...burns.map((event) => ({
      ...common(event),
      type: 'burn',
      source: event.owner,
      destination: null,
      jetton_wallet: event.jetton_wallet,
      forward_ton_amount: null,
    })),
  ];
}

/** Payloads of a transfer, and the text comment that one is. */
function payloads({ custom_payload, forward_payload, decoded_forward_payload }: Item): Row {
  const decoded = decoded_forward_payload as Row | null | undefined;
  return {
    custom_payload: toRootHash(custom_payload),
    forward_payload: toRootHash(forward_payload),
    comment: decoded?.['@type'] === 'text_comment' ? decoded.comment : null,
  };
}

/** Rows of `nft_transfers`. */
export async function apiNftTransfers(server: LakeServer): Promise<readonly Row[]> {
  const transfers = await list(server, 'nft/transfers', 'nft_transfers');
  const indexes = new Map<unknown, unknown>();
  for (const item of new Set(transfers.map(({ nft_address }) => String(nft_address)))) {
    const [, index] = await server.runGetMethod(item, 'get_nft_data');
    indexes.set(item, BigInt(String(index!.value)));
  }
  return transfers.map((event) => ({
    tx_hash: event.transaction_hash,
    tx_lt: event.transaction_lt,
    tx_now: event.transaction_now,
    tx_aborted: event.transaction_aborted,
    query_id: event.query_id,
    nft_item_address: event.nft_address,
    nft_collection_address: address(event.nft_collection),
    old_owner: event.old_owner,
    new_owner: event.new_owner,
    response_destination: address(event.response_destination),
    nft_item_index: indexes.get(event.nft_address),
    forward_amount: event.forward_amount,
    ...payloads(event),
    trace_id: event.trace_id,
  }));
}

/** Rows of `dns_records` with the given names. */
export async function apiDnsRecords(server: LakeServer, domains: readonly string[]): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const domain of domains)
    for (const record of await list(
      server,
      'dns/records',
      'records',
      `&domain=${encodeURIComponent(domain)}`,
    )) {
      const item = encodeURIComponent(String(record.nft_item_address));
      const { nft_items } = await server.get(`nft/items?address=${item}`);
      const { collection_address, last_transaction_lt } = (nft_items as readonly Item[])[0]!;
      rows.push({ ...(record as Row), collection_address, lt: last_transaction_lt });
    }
  return rows;
}

/** Rows of `actions`. */
export async function apiActions(server: LakeServer): Promise<readonly Row[]> {
  const actions = await list(server, 'actions', 'actions', '&sort=asc&include_accounts=true');
  return actions.map((action) => ({
    action_id: action.action_id,
    trace_id: action.trace_id,
    type: action.type,
    success: action.success,
    start_lt: action.start_lt,
    end_lt: action.end_lt,
    start_utime: action.start_utime,
    end_utime: action.end_utime,
    external_hash: action.trace_external_hash,
    trace_end_utime: action.trace_end_utime,
    ancestor_types: [],
    accounts: action.accounts,
    tx_hashes: action.transactions,
    details: toSortedJson(action.details),
    block_time: toTime(action.trace_end_utime),
    block_date: toTime(action.trace_end_utime)?.slice(0, 10),
  }));
}
