import { describe, expect, it } from 'vitest';
import { RANKS } from '../../../../src/api/entities/accounts/ranking.ts';
import { ACTIONS, actionPlace } from '../../../../src/api/entities/actions/filter.ts';
import type { ActionRow } from '../../../../src/api/entities/actions/model.ts';
import type { CustodyRow } from '../../../../src/api/entities/contracts/custody-row.ts';
import type { ContractRow } from '../../../../src/api/entities/contracts/model.ts';
import { CUSTODY, custodyPlace } from '../../../../src/api/entities/contracts/plan-custody.ts';
import { MESSAGES, messagePlace } from '../../../../src/api/entities/messages/key.ts';
import type { MessageRecord } from '../../../../src/api/entities/messages/model.ts';
import type { TokenRow } from '../../../../src/api/entities/tokens/model.ts';
import { OWNED_TOKENS, TOKENS, tokenPlace } from '../../../../src/api/entities/tokens/model.ts';
import { ACCOUNT_TRACES, TRACES, tracePlace } from '../../../../src/api/entities/traces/filter.ts';
import type { TraceRow } from '../../../../src/api/entities/traces/model.ts';
import { MESSAGE_ENDS } from '../../../../src/api/entities/transactions/scan-by-message.ts';
import { TRANSFERS, transferPlace } from '../../../../src/api/entities/transfers/filter.ts';
import type { TransferRow } from '../../../../src/api/entities/transfers/model.ts';
import { CursorError, cursorText, type PlaceForm, readCursor } from '../../../../src/api/query/cursor.ts';
import {
  AUCTION_PLACE,
  NAME_PLACE,
  namePlace,
  POOL_EVENT_PLACE,
  VALIDATOR_EVENT_PLACE,
} from '../../../../src/api/v3/places.ts';
import { findPlaceForms } from '../../../helpers/place-forms.ts';

/* Cursors of every list: a written one can be read, also for the largest values. */

const LT = String(2n ** 64n - 1n);
const ID = 'F0'.repeat(32);
const HASH = Buffer.from(ID, 'hex').toString('base64');
const RAW = `-2147483648:${ID}`;
const DIGEST = 'abc-_1234567';

const token = {
  address: RAW,
  lt: LT,
  since: 2 ** 32 - 1,
  amount: String(2n ** 256n - 1n),
  parent: RAW,
} as TokenRow;
const action = { traceEndLt: LT, trace8: LT, endLt: LT, actionId: HASH } as ActionRow;

const PLACES: readonly (readonly [string, PlaceForm<unknown>, unknown])[] = [
  ...Object.entries(TOKENS).map(([kind, form]) => [kind, form, tokenPlace(token)] as const),
  ...Object.entries(OWNED_TOKENS).map(
    ([kind, form]) =>
      [`${kind} of owners`, form, tokenPlace({ ...token, owner: RAW }, 'owner, first')] as const,
  ),
  [
    'a collection without numbers',
    TOKENS.nft_collection,
    tokenPlace({ ...token, amount: '-1', parent: null }),
  ],
  ...Object.entries(TRANSFERS).map(
    ([kind, form]) => [kind, form, transferPlace({ lt: LT, address: RAW } as TransferRow)] as const,
  ),
  ['action', ACTIONS, actionPlace(action)],
  ['trace', TRACES, tracePlace({ end_lt: LT, trace_id: HASH } as TraceRow)],
  [
    'message',
    MESSAGES,
    messagePlace({
      message: { createdLt: 2n ** 64n - 1n, hash: Buffer.from(ID, 'hex') },
    } as unknown as MessageRecord),
  ],
  ...Object.entries(CUSTODY).map(
    ([kind, form]) => [kind, form, custodyPlace({ lt: LT, address: RAW } as CustodyRow<'multisig'>)] as const,
  ),
  // The longest text that a collection of names takes.
  ['name', NAME_PLACE, namePlace({ domain: `${'-'.repeat(126)}.ton`, address: RAW } as ContractRow)],
  ['auction', AUCTION_PLACE, { endTime: LT, address: RAW }],
  ['rank', RANKS, { balance: String(2n ** 128n - 1n), account: ID, workchain: -(2 ** 31) }],
  ['trace of an account', ACCOUNT_TRACES, { lt: LT }],
  ['validator event', VALIDATOR_EVENT_PLACE, { utime: 2 ** 32 - 1, lt: LT, hash: HASH }],
  ['pool event', POOL_EVENT_PLACE, { utime: 2 ** 32 - 1, lt: LT, pool: RAW, at: 40 }],
  ...Object.entries(MESSAGE_ENDS).map(
    ([path, form]) => [path, form, { createdLt: LT, hash8: LT, lt: LT, workchain: -1, account: ID }] as const,
  ),
];

describe('cursors', () => {
  it.each(PLACES)('of %s are read unchanged', (_name, form, after) => {
    const cursor = { of: DIGEST, first: 0, last: 2 ** 32 - 1, after };
    expect(readCursor(form, cursorText(form, cursor))).toEqual(cursor);
  });

  it.each(PLACES)('of %s are no other than those that were given', (_name, form, after) => {
    const text = cursorText(form, { of: DIGEST, first: 1, last: 2, after });
    for (const wrong of [`${text}=`, text.slice(0, -4), `${text}AAAA`])
      expect(() => readCursor(form, wrong)).toThrow(CursorError);
    const ends = cursorText(form, { of: DIGEST, first: 1, last: null, after: null });
    if (form.isResumable) expect(readCursor(form, ends).last).toBeNull();
    else expect(() => readCursor(form, ends)).toThrow(CursorError);
  });

  it('are of one list', async () => {
    const forms = await findPlaceForms();
    expect(forms.length).toBeGreaterThan(25);
    expect(new Set(forms.map(({ list }) => list)).size).toBe(forms.length);
  });
});
