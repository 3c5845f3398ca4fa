import { isIndexedStep } from '../../entities/blocks/masterchain.ts';
import type { TraceFilter } from '../../entities/traces/filter.ts';
import { ACCOUNT_TRACES, TRACES, tracePlace } from '../../entities/traces/filter.ts';
import { readTraces } from '../../entities/traces/find.ts';
import type { TraceRow } from '../../entities/traces/model.ts';
import { scanTracesOfAccount } from '../../entities/traces/of-account.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { given, type ParameterValues } from '../../parameters/parameter.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { tracesAnswer } from '../answers/traces-answer.ts';
import { type EndpointRequest, endpoint } from '../endpoint.ts';
import { supportedTypes } from '../parameters/action-types.ts';
import { account, bool, hashes, i32, lt, typeNames, utime } from '../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../parameters/paging.ts';
import { nextCursor, parseScan, SCANNING, scannedScope } from '../scan.ts';
import { EventsSchema, type TracesAnswer, TracesSchema } from '../schemas/trace.ts';

const PARAMETERS = {
  account: account('Traces with a transaction of this account.'),
  trace_id: hashes('Trace id: the hash of its first transaction.'),
  tx_hash: hashes('Traces with one of these transactions.'),
  msg_hash: hashes('Traces with one of these messages, by hash or normalised hash.'),
  mc_seqno: i32('Complete traces that ended in this masterchain block.'),
  start_utime: utime('Ended at or after this time, Unix seconds.'),
  end_utime: utime('Ended at or before this time, Unix seconds.'),
  start_lt: lt('lt of the end at or above.'),
  end_lt: lt('lt of the end at or below.'),
  supported_action_types: typeNames('Types of actions that the client shows, or shortcuts.'),
  ...PAGING,
  ...SORTING,
  ...SCANNING,
} as const;

type Values = ParameterValues<typeof PARAMETERS>;
type TraceScope = ReadScope<'base' | 'traces'>;

/** One of these names what is asked for. */
function refuseSeveral({ account, trace_id, tx_hash, msg_hash }: Values): void {
  const lists = [trace_id, tx_hash, msg_hash].filter(({ length }) => length > 0);
  if (lists.length + (account ? 1 : 0) > 1)
    throw new HttpError(422, 'only one of account, trace_id, tx_hash, msg_hash should be specified');
}

/** Traces that a request asks for, and `next_cursor`. */
interface TracesPage {
  readonly rows: readonly TraceRow[];
  /** Scope that the page reads. */
  readonly scope: TraceScope;
  readonly next: { readonly next_cursor?: string };
}

/** A page by offset or by cursor. @throws HttpError 422, 503 */
async function readPage(
  fullScope: TraceScope,
  filter: TraceFilter,
  values: Values,
  page: Page,
): Promise<TracesPage> {
  const { account, mcSeqno } = filter;
  // Traces of an account end in another order than its transactions have: a scan goes by these.
  if (account && mcSeqno === undefined) {
    const scan = parseScan(ACCOUNT_TRACES, values, page, fullScope.visible);
    if (scan) {
      const scope = scannedScope(fullScope, scan);
      const found = await scanTracesOfAccount(scope, { ...filter, account }, page, scan.after);
      const places = found.map(({ lt }) => ({ lt }));
      return {
        rows: found.map(({ row }) => row),
        scope,
        next: nextCursor(ACCOUNT_TRACES, scan, page, places),
      };
    }
  }
  const scan = parseScan(TRACES, values, page, fullScope.visible);
  const scope = scannedScope(fullScope, scan);
  const place = scan && { scan: { after: scan.after, descending: page.descending } };
  const rows = await readTraces(scope, { ...filter, ...place }, page);
  return { rows, scope, next: nextCursor(TRACES, scan, page, rows.map(tracePlace)) };
}

async function answerTraces(
  fullScope: TraceScope,
  values: Values,
  { settings, switches }: EndpointRequest,
  withActions: boolean,
): Promise<TracesAnswer> {
  const page = toPage(values, settings);
  const filter = given({
    account: values.account,
    traceIds: values.trace_id,
    txHashes: values.tx_hash,
    msgHashes: values.msg_hash,
    mcSeqno: values.mc_seqno,
    startUtime: values.start_utime,
    endUtime: values.end_utime,
    startLt: values.start_lt,
    endLt: values.end_lt,
  });
  const { rows, scope, next } = await readPage(fullScope, filter, values, page);
  const named = rows.length === 0 ? values.mc_seqno : undefined;
  if (named !== undefined && !(await isIndexedStep(scope, named)))
    throw new HttpError(404, `masterchain block ${named} not found`);
  const answer = await tracesAnswer(scope, rows, {
    ...switches,
    actionTypes: withActions ? supportedTypes(values.supported_action_types, switches.actionsVersion) : null,
  });
  return { ...answer, ...next };
}

/** `/traces` (v3-endpoints.md 4.1). */
export const traces = endpoint({
  path: '/traces',
  tag: 'actions',
  summary: 'Traces by filter, with their transactions.',
  reads: ['base', 'traces'],
  adds: ['contracts'],
  parameters: { ...PARAMETERS, include_actions: bool('Adds the actions of each trace.') },
  answer: TracesSchema,
  cached: true,
  check: (values) => refuseSeveral(values),
  handle: (scope, values, request) => answerTraces(scope, values, request, values.include_actions ?? false),
});

/** `/events`, the older name: with actions, and the list under another key. */
export const events = endpoint({
  path: '/events',
  tag: 'actions',
  summary: 'Traces by filter with their actions; `/traces` is the newer name.',
  reads: ['base', 'traces'],
  adds: ['contracts'],
  parameters: { ...PARAMETERS, include_actions: bool('No effect: the actions are always there.') },
  answer: EventsSchema,
  cached: true,
  check: (values) => refuseSeveral(values),
  async handle(scope, values, request) {
    const { traces: list, ...rest } = await answerTraces(scope, values, request, true);
    return { events: list, ...rest };
  },
});
