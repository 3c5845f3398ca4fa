import { HttpError } from '../../http/http-error.ts';
import { given, type ParameterValues } from '../../parameters/parameter.ts';
import { isIndexedStep } from '../../read/read-blocks.ts';
import { type ReadScope, withVisible } from '../../read/read-scope.ts';
import { readTraces } from '../../read/read-traces.ts';
import { tracesAnswer } from '../answers/traces-answer.ts';
import { type EndpointRequest, endpoint } from '../endpoint.ts';
import { supportedTypes } from '../parameters/action-types.ts';
import { account, bool, hashes, i32, lt, typeNames, utime } from '../parameters/forms.ts';
import { PAGING, pageOf, SORTING } from '../parameters/paging.ts';
import { TRACE_PLACE, tracePlace } from '../places.ts';
import { nextCursor, SCANNING, scanOf } from '../scan.ts';
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

/** One of these names what is asked for. */
function refuseSeveral({ account, trace_id, tx_hash, msg_hash }: Values): void {
  const lists = [trace_id, tx_hash, msg_hash].filter(({ length }) => length > 0);
  if (lists.length + (account ? 1 : 0) > 1)
    throw new HttpError(422, 'only one of account, trace_id, tx_hash, msg_hash should be specified');
}

/**
 * Traces of an account follow its transactions in no order that a place could be found by, and what is named is a short list.
 */
function refuseNamed({ account, trace_id, tx_hash, msg_hash, mc_seqno }: Values): void {
  const isNamed = [trace_id, tx_hash, msg_hash].some(({ length }) => length > 0);
  if (account || isNamed || mc_seqno !== undefined)
    throw new HttpError(
      422,
      'cursor cannot be combined with account, trace_id, tx_hash, msg_hash or mc_seqno',
    );
}

async function answerTraces(
  scope: ReadScope<'base' | 'traces'>,
  values: Values,
  { settings, switches }: EndpointRequest,
  withActions: boolean,
): Promise<TracesAnswer> {
  refuseSeveral(values);
  const page = pageOf(values, settings);
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
  const scan = scanOf(TRACE_PLACE, values, page, scope.visible);
  if (scan) refuseNamed(values);
  const place = scan && { scan: { after: scan.after, descending: page.descending } };
  const scanned = scan?.window ? withVisible(scope, scan.window) : scope;
  const rows = await readTraces(scanned, { ...filter, ...place }, page);
  const named = rows.length === 0 ? values.mc_seqno : undefined;
  if (named !== undefined && !(await isIndexedStep(scope, named)))
    throw new HttpError(404, `masterchain block ${named} not found`);
  const answer = await tracesAnswer(scanned, rows, {
    ...switches,
    actionTypes: withActions ? supportedTypes(values.supported_action_types, switches.actionsVersion) : null,
  });
  return { ...answer, ...nextCursor(TRACE_PLACE, scan, page, rows.map(tracePlace)) };
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
  async handle(scope, values, request) {
    const { traces: list, ...rest } = await answerTraces(scope, values, request, true);
    return { events: list, ...rest };
  },
});
