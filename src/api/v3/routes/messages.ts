import type { MessageFilter } from '../../entities/messages/filter.ts';
import { readMessages } from '../../entities/messages/find.ts';
import type { MessageKey } from '../../entities/messages/key.ts';
import { MESSAGES, messagePlace } from '../../entities/messages/key.ts';
import { isHashLookUp } from '../../entities/messages/look-up.ts';
import type { MessageRecord } from '../../entities/messages/model.ts';
import { MESSAGE_HEAD, MESSAGE_SELECT } from '../../entities/messages/payload.ts';
import { findEnds } from '../../entities/transactions/message-ends.ts';
import { mapInChunks } from '../../http/fairness/map-in-chunks.ts';
import { alias, given, type ParameterValues } from '../../parameters/parameter.ts';
import type { Page } from '../../query/page.ts';
import { type ReadScope, withSelect, withVisible } from '../../query/scope.ts';
import { AnswerBodies, type MessageBodies, undecodedBodies } from '../answers/answer-bodies.ts';
import { describeAdded } from '../answers/describe-addresses.ts';
import { messageAnswer, standardAddress } from '../answers/message-answer.ts';
import { endpoint } from '../endpoint.ts';
import { SELECTING, type SelectedFields } from '../fields.ts';
import { accountOrNull, bool, hash, hashes, lt, opcode, utime } from '../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../parameters/paging.ts';
import { parseSide, side } from '../parameters/side.ts';
import { nextCursor, parseScan, SCANNING, type Scan } from '../scan.ts';
import { type MessageAnswer, type MessagesAnswer, MessagesSchema } from '../schemas/message.ts';

const PARAMETERS = {
  msg_hash: alias(hashes('Hash or normalised hash.'), 'hash'),
  body_hash: hash('Hash of the body.'),
  source: accountOrNull('Source; null for messages without one (external in).'),
  destination: accountOrNull('Destination; null for messages without one (external out).'),
  opcode: opcode('First 32 bits of the body.'),
  direction: side('in: only messages that were received; out: only those that were sent.'),
  exclude_externals: bool('Leave out external-in messages.'),
  only_externals: bool('Only external-in messages.'),
  start_utime: utime('Created at or after this time, Unix seconds.'),
  end_utime: utime('Created at or before this time, Unix seconds.'),
  start_lt: lt('created_lt at or above; 1 leaves out external-in messages.'),
  end_lt: lt('created_lt at or below.'),
  ...PAGING,
  ...SORTING,
  ...SCANNING,
  ...SELECTING,
} as const;

const NOTHING: MessagesAnswer = { messages: [], address_book: {}, metadata: {} };

/** `/messages` (v3-endpoints.md 2.10). */
export const messages = endpoint({
  path: '/messages',
  tag: 'blockchain',
  summary: 'Messages by filter.',
  reads: ['base'],
  adds: ['contracts'],
  parameters: PARAMETERS,
  answer: MessagesSchema,
  selects: 'messages',
  cached: true,
  async handle(fullScope, values, { settings, switches, fields }): Promise<MessagesAnswer> {
    const page = toPage(values, settings);
    if (values.exclude_externals && values.only_externals) return NOTHING;
    const scan = parseScan(MESSAGES, values, page, fullScope.visible);
    const filter = buildFilter(values);
    const scope = headScope(fullScope, filter, fields);
    const found = await readPage(scope, filter, page, scan);
    const { context } = scope;
    const wanted = {
      addressBook: switches.addressBook && fields.wants('address_book'),
      metadata: switches.metadata && fields.wants('metadata'),
    };
    const bodies = fields.wants('message_content') ? new AnswerBodies(context) : undecodedBodies(context);
    return {
      messages: await mapInChunks(found, (one) => answer(one, bodies)),
      ...(await describeAdded(scope, parties(found), wanted)),
      ...nextCursor(MESSAGES, scan, page, found.map(messagePlace)),
    };
  },
});

/** Without bodies and states if they are not requested. Look-ups by hash are shared with answers that show them. */
function headScope(scope: ReadScope, filter: MessageFilter, fields: SelectedFields): ReadScope {
  if (fields.wants('message_content', 'init_state') || isHashLookUp(filter)) return scope;
  return withSelect(scope, MESSAGE_SELECT, MESSAGE_HEAD);
}

/** A page by offset, or one of a scan. */
function readPage(scope: ReadScope, filter: MessageFilter, page: Page, scan: Scan<MessageKey> | null) {
  if (!scan) return readMessages(scope, filter, page, findEnds);
  const place = { after: scan.after, descending: page.descending };
  return readMessages(withVisible(scope, scan.window ?? scope.visible), { ...filter, scan: place }, page);
}

function buildFilter(values: ParameterValues<typeof PARAMETERS>): MessageFilter {
  const externals = values.exclude_externals ? 'exclude' : values.only_externals ? 'only' : undefined;
  return given({
    hashes: values.msg_hash,
    bodyHash: values.body_hash,
    source: values.source,
    destination: values.destination,
    opcode: values.opcode,
    direction: parseSide(values.direction),
    externals,
    startUtime: values.start_utime,
    endUtime: values.end_utime,
    startLt: values.start_lt,
    endLt: values.end_lt,
  });
}

/** The message, and the transactions at its ends: keys that only this endpoint has. */
function answer({ message, receivedBy, sentBy }: MessageRecord, bodies: MessageBodies): MessageAnswer {
  return {
    ...messageAnswer(message, bodies),
    ...(receivedBy === undefined ? {} : { in_msg_tx_hash: receivedBy }),
    ...(sentBy === undefined ? {} : { out_msg_tx_hash: sentBy }),
  };
}

function parties(found: readonly MessageRecord[]): readonly (string | null)[] {
  return found.flatMap(({ message }) => [
    standardAddress(message.source),
    standardAddress(message.destination),
  ]);
}
