import type { ActionPlace } from '../../entities/actions/filter.ts';
import { ACTIONS, actionPlace } from '../../entities/actions/filter.ts';
import { readActions, scanActions } from '../../entities/actions/find.ts';
import { ACTION_SELECT, actionList, type OmittedColumn } from '../../entities/actions/model.ts';
import { isImpossible } from '../../entities/blocks/filter.ts';
import { isIndexedStep } from '../../entities/blocks/masterchain.ts';
import { readTraces } from '../../entities/traces/find.ts';
import type { TraceRow } from '../../entities/traces/model.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { given, type ParameterValues } from '../../parameters/parameter.ts';
import { type ReadScope, withSelect, withVisible } from '../../query/scope.ts';
import { type ActionsChoices, actionsAnswer } from '../answers/actions-answer.ts';
import { type EndpointRequest, endpoint } from '../endpoint.ts';
import { SELECTING, type SelectedFields } from '../fields.ts';
import { supportedTypes } from '../parameters/action-types.ts';
import { account, bool, hashes, i32, lt, typeNames, utime } from '../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../parameters/paging.ts';
import { nextCursor, parseScan, SCANNING, type Scan } from '../scan.ts';
import { ActionsSchema } from '../schemas/action.ts';

/** Traces that a request names at most: each hash names one, a message's two ends two where its trace is not whole. */
const MAX_TRACES = 2_000;

const PARAMETERS = {
  account: account('Actions that this account takes part in.'),
  tx_hash: hashes('Actions with one of these transactions.'),
  msg_hash: hashes('Actions with a transaction of one of these messages, by hash or normalised hash.'),
  action_id: hashes('Action id.'),
  trace_id: hashes('Trace id: the hash of its first transaction.'),
  mc_seqno: i32('Actions of traces that ended in this masterchain block.'),
  start_utime: utime('The trace ended at or after this time, Unix seconds.'),
  end_utime: utime('The trace ended at or before this time, Unix seconds.'),
  start_lt: lt('lt of the end of the trace at or above.'),
  end_lt: lt('lt of the end of the trace at or below.'),
  action_type: typeNames('Only these types, in any version of the client.'),
  exclude_action_type: typeNames('None of these types.'),
  supported_action_types: typeNames('Types of actions that the client shows, or shortcuts.'),
  include_accounts: bool('Adds the accounts of each action.'),
  include_transactions: bool('Adds the transactions of each action.'),
  ...PAGING,
  ...SORTING,
  ...SCANNING,
  ...SELECTING,
} as const;

type Values = ParameterValues<typeof PARAMETERS>;
type Scope = ReadScope<'base' | 'traces' | 'actions'>;

/** @throws HttpError 422 */
function requireTypeNames(values: Values): void {
  for (const name of ['action_type', 'exclude_action_type'] as const)
    if (values[name].some((type) => !/^[A-Za-z0-9_.]+$/.test(type)))
      throw new HttpError(422, `${name} contains invalid characters`);
}

/** The traces that the request names; undefined: it names none. */
function namedTraces(scope: Scope, values: Values): Promise<readonly TraceRow[]> | undefined {
  const named = { traceIds: values.trace_id, txHashes: values.tx_hash, msgHashes: values.msg_hash };
  if (Object.values(named).every(({ length }) => length === 0)) return undefined;
  return readTraces(scope, named, { limit: MAX_TRACES, offset: 0, descending: true });
}

async function listedActions(
  scope: Scope,
  values: Values,
  page: ReturnType<typeof toPage>,
  { version, scan }: { readonly version: string | null; readonly scan: Scan<ActionPlace> | null },
) {
  if (scan && !scan.window) return [];
  const traces = await namedTraces(scope, values);
  const filter = given({
    account: values.account,
    traces,
    txHashes: values.tx_hash,
    msgHashes: values.msg_hash,
    actionIds: values.action_id,
    mcSeqno: values.mc_seqno,
    startUtime: values.start_utime,
    endUtime: values.end_utime,
    startLt: values.start_lt,
    endLt: values.end_lt,
  });
  const types = {
    supported: supportedTypes(values.supported_action_types, version),
    wanted: values.action_type,
    excluded: values.exclude_action_type,
  };
  if (isImpossible(filter)) return [];
  if (!scan) return readActions(scope, { ...filter, types }, page);
  const { after, first, window } = scan;
  const isLater = first > scope.visible.first;
  return scanActions(withVisible(scope, window ?? scope.visible), { ...filter, types }, page, {
    after,
    isLater,
  });
}

/** `/actions` (v3-endpoints.md 4.3), from the table of actions: all filters hold together. */
export const actions = endpoint({
  path: '/actions',
  tag: 'actions',
  summary: 'Actions by filter.',
  reads: ['base', 'traces', 'actions'],
  adds: ['contracts'],
  parameters: PARAMETERS,
  answer: ActionsSchema,
  selects: 'actions',
  cached: true,
  check: requireTypeNames,
  async handle(fullScope: Scope, values, request) {
    const { settings, switches } = request;
    const choices = getChoices(values, request);
    const scope = withSelect(fullScope, ACTION_SELECT, actionList(wantedColumns(choices, request.fields)));
    const page = toPage(values, settings);
    const { actionsVersion: version } = switches;
    const scan = parseScan(ACTIONS, { ...values, ...(version !== null && { version }) }, page, scope.visible);
    const rows = await listedActions(scope, values, page, { version, scan });
    const named = rows.length === 0 ? values.mc_seqno : undefined;
    if (named !== undefined && !(await isIndexedStep(scope, named)))
      throw new HttpError(404, `masterchain block ${named} not found`);
    const answer = await actionsAnswer(scope, rows, choices);
    return { ...answer, ...nextCursor(ACTIONS, scan, page, rows.map(actionPlace)) };
  },
});

/** Parts of the answer in addition to the rows' own fields. */
function getChoices(
  values: Values,
  { switches, fields }: Pick<EndpointRequest, 'switches' | 'fields'>,
): ActionsChoices {
  const addressBook = switches.addressBook && fields.wants('address_book');
  const metadata = switches.metadata && fields.wants('metadata');
  return {
    addressBook,
    metadata,
    // The book and the metadata cover the addresses in details and columns.
    withLayouts: addressBook || metadata || fields.wants('details', 'raw_action'),
    withAccounts: (values.include_accounts ?? false) && (addressBook || metadata || fields.wants('accounts')),
    withTransactions: (values.include_transactions ?? false) && fields.wants('transactions_full'),
  };
}

/** Columns without which the answer would lack something. */
function wantedColumns(choices: ActionsChoices, fields: SelectedFields): (column: OmittedColumn) => boolean {
  const wanted: Readonly<Record<OmittedColumn, boolean>> = {
    transactions: choices.withTransactions || fields.wants('transactions'),
    accounts: choices.withAccounts,
    layout: choices.withLayouts,
    external: choices.withTransactions || fields.wants('trace_external_hash'),
  };
  return (column) => wanted[column];
}
