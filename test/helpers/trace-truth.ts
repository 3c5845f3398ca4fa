import type { StoreClient } from '../../src/platform/clickhouse/client.ts';

const options = { route: 'test/traces', maxRows: 1_000_000 };

/** A transaction of `base`, and the hashes of its messages. */
interface Sent {
  readonly hash: string;
  readonly lt: bigint;
  readonly workchain: number;
  readonly account: string;
  readonly now: number;
  readonly mcSeqno: number;
  /** Upper-case hex; null if no message came in. */
  readonly incoming: {
    readonly hash: string;
    readonly norm: string;
    readonly kind: string;
    readonly system: boolean;
  } | null;
  readonly outgoing: readonly { readonly hash: string; readonly kind: string }[];
}

/** A trace from the tables of `base`: the values of the newest row in `traces`. */
export interface TrueTrace {
  readonly trace_id: string;
  readonly external_hash: string;
  readonly external_hash_norm: string;
  readonly state: string;
  readonly mc_seqno_start: number;
  readonly start_lt: string;
  readonly start_utime: number;
  readonly mc_seqno_end: number;
  readonly end_lt: string;
  readonly end_utime: number;
  readonly messages: number;
  readonly transactions: number;
  readonly pending_messages: number;
}

const NONE = '0'.repeat(64);

async function readSent(client: StoreClient, base: string): Promise<Sent[]> {
  const messages = new Map<
    string,
    { side: string; hash: string; norm: string; kind: string; system: boolean }[]
  >();
  const { rows: found } = await client.queryRows<[string, string, string, string, string, number]>(
    `SELECT hex(tx_hash), side, hex(hash), hex(hash_norm), kind,
       source_kind = 'std' AND source_workchain = -1 AND source = toFixedString('', 32)
     FROM ${base}.messages`,
    options,
  );
  for (const [tx, side, hash, norm, kind, system] of found)
    messages.set(tx, [...(messages.get(tx) ?? []), { side, hash, norm, kind, system: Boolean(system) }]);
  const { rows } = await client.queryRows<[string, string, number, string, number, number]>(
    `SELECT hex(hash), toString(lt), workchain, hex(account), now, mc_seqno FROM ${base}.transactions`,
    options,
  );
  return rows.map(([hash, lt, workchain, account, now, mcSeqno]) => {
    const own = messages.get(hash) ?? [];
    return {
      hash,
      lt: BigInt(lt),
      workchain,
      account,
      now,
      mcSeqno,
      incoming: own.find(({ side }) => side === 'in') ?? null,
      outgoing: own.filter(({ side }) => side === 'out'),
    };
  });
}

/** First transactions of everything in `base`, and who took each message, by its hash. */
async function readRoots(client: StoreClient, base: string) {
  const sent = await readSent(client, base);
  const senders = new Set(sent.flatMap(({ outgoing }) => outgoing.map(({ hash }) => hash)));
  const takers = new Map(sent.flatMap((one) => (one.incoming ? [[one.incoming.hash, one] as const] : [])));
  const roots = sent.filter(({ incoming }) => !incoming || !senders.has(incoming.hash));
  return { sent, roots, takers };
}

/** The traces of everything in `base`, by walking from each first transaction along its messages. */
export async function traceTruth(client: StoreClient, base: string): Promise<TrueTrace[]> {
  const { roots, takers } = await readRoots(client, base);
  return roots.map((root) => traceOf(root, takers)).sort((a, b) => (a.trace_id < b.trace_id ? -1 : 1));
}

/** A transaction in a trace, as text: its account, its lt, the trace's start, its depth. */
const memberText = (member: readonly (string | number | bigint)[]): string => member.join(' ');

/** Links of `base` or of the tables of traces, in a form that is compared. */
export interface TraceLinks {
  /** Every transaction with the trace that it hangs in, in order. */
  readonly members: readonly string[];
  /** Internal messages whose sender and taker are both in the index. */
  readonly links: number;
}

/** The links of everything in `base`: each message that was sent and taken hangs its taker one below its sender. */
export async function linkTruth(client: StoreClient, base: string): Promise<TraceLinks> {
  const { sent, roots, takers } = await readRoots(client, base);
  const members: string[] = [];
  for (const root of roots) {
    const trace8 = BigInt(`0x${root.hash.slice(0, 16)}`);
    const open = [{ one: root, depth: 0 }];
    for (const { one, depth } of open) {
      members.push(memberText([one.workchain, one.account, one.lt, root.lt, trace8, depth]));
      for (const { hash } of one.outgoing) {
        const taker = takers.get(hash);
        if (taker) open.push({ one: taker, depth: depth + 1 });
      }
    }
  }
  return { members: members.sort(), links: sent.length - roots.length };
}

/** The links as the tables of traces have them. */
export async function storedLinks(client: StoreClient, database: string): Promise<TraceLinks> {
  const { rows } = await client.queryRows<[number, string, string, string, string, number]>(
    `SELECT workchain, hex(account), toString(lt), toString(start_lt), toString(trace8), depth FROM ${database}.trace_transactions`,
    options,
  );
  return {
    members: rows.map(memberText).sort(),
    links: rows.filter(([, , , , , depth]) => depth > 0).length,
  };
}

function traceOf(root: Sent, takers: ReadonlyMap<string, Sent>): TrueTrace {
  const nodes = [root];
  let pending = 0;
  let logs = 0;
  // Grows while it is walked.
  for (const { outgoing } of nodes)
    for (const { hash, kind } of outgoing) {
      const taker = takers.get(hash);
      if (kind === 'ext_out') logs++;
      else if (taker) nodes.push(taker);
      else pending++;
    }
  const { incoming } = root;
  const external = incoming?.kind === 'ext_in' ? incoming : null;
  const orphan = incoming !== null && !external && !incoming.system;
  const newest = nodes.reduce((a, b) => (b.lt > a.lt ? b : a));
  if (orphan) pending++;
  return {
    trace_id: root.hash,
    external_hash: external?.hash ?? NONE,
    external_hash_norm: external?.norm ?? NONE,
    state: orphan ? 'broken' : pending > 0 ? 'pending' : 'complete',
    mc_seqno_start: root.mcSeqno,
    start_lt: `${root.lt}`,
    start_utime: root.now,
    mc_seqno_end: Math.max(...nodes.map(({ mcSeqno }) => mcSeqno)),
    end_lt: `${newest.lt}`,
    end_utime: Math.max(...nodes.map(({ now }) => now)),
    messages: nodes.length - 1 + logs + (incoming && !orphan ? 1 : 0),
    transactions: nodes.length,
    pending_messages: pending,
  };
}

/** The newest row of each trace, in the form of the truth. */
export function newestTraces(client: StoreClient, database: string): Promise<TrueTrace[]> {
  return client.queryObjects<TrueTrace>(
    `SELECT * FROM (SELECT hex(trace_id) AS trace_id, hex(external_hash) AS external_hash,
       hex(external_hash_norm) AS external_hash_norm, state, mc_seqno_start, toString(start_lt) AS start_lt, start_utime,
       mc_seqno_end, toString(end_lt) AS end_lt, end_utime, messages, transactions, pending_messages
     FROM ${database}.traces ORDER BY trace_id, mc_seqno DESC LIMIT 1 BY trace_id) ORDER BY trace_id`,
    options,
  );
}

const TABLES = {
  traces: 'trace_id, mc_seqno',
  traces_by_end: 'end_lt, trace8, mc_seqno',
  trace_transactions: 'start_lt, trace8, lt, account',
  transaction_traces: 'account, workchain, lt',
  messages_in_flight: 'created_lt, hash8',
  trace_steps: 'mc_seqno',
};

/** Every row of every table, as text. */
export async function allTraceRows(
  client: StoreClient,
  database: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows: Record<string, readonly string[]> = {};
  for (const [table, order] of Object.entries(TABLES)) {
    const { rows: found } = await client.queryRows<[string]>(
      `SELECT hex(toString(tuple(*))) FROM ${database}.${table} ORDER BY ${order}`,
      options,
    );
    rows[table] = found.map(([text]) => text);
  }
  return rows;
}
