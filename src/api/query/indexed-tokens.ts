import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EnumName, enumCodes } from '../../tables/column-type.ts';
import { TOKEN_KIND } from '../../tables/contract-types.ts';
import { getLookUp, keyBuilder, type TableLookUp } from '../../tables/look-ups/look-ups.ts';
import { TOKEN_TARGETS } from '../../tables/token-states.ts';
import type { IndexedRow, LookUps } from '../look-up-port.ts';
import type { AccountId } from './account-id.ts';
import {
  type ContractDatabases,
  type ContractLookUps,
  getContractLookUps,
  type IndexScope,
  knowsAllVisible,
} from './contract-look-ups.ts';
import { keysWith, toBuffer } from './look-ups.ts';

/*
 * Tokens from the look-up index of this process, without statements. It has the history of states, so a state above the
 * visible range hides nothing.
 */

type TokenKind = EnumName<typeof TOKEN_KIND>;

/** A state of a token. */
export interface IndexedToken {
  /** Id of the account. */
  readonly account: Uint8Array;
  /** The state as TOKEN_PAYLOAD has it. */
  readonly payload: Buffer;
  /** True if get methods identified the token. */
  readonly isDetected: boolean;
}

const CODES = enumCodes(TOKEN_KIND);
const STATE = getTokenLookUp('token_states', 'token_state');
const toKey = keyBuilder(STATE);
/** Bytes of an account in keys: an id and a workchain. */
const ID_BYTES = 32;
export const ACCOUNT_BYTES = ID_BYTES + 4;
/** Accounts that are looked up in one turn of the event loop. */
const ACCOUNTS_AT_ONCE = 200;

/** A look-up of a table of tokens. */
export function getTokenLookUp(table: string, lookUp: string): TableLookUp {
  return getLookUp(TOKEN_TARGETS.find(({ name }) => name === table)!, lookUp);
}

/**
 * The newest visible states of accounts, of some kinds and perhaps others, in each database, also of ended tokens. Null:
 * statements have to find them.
 */
export async function readIndexedTokens(
  scope: IndexScope,
  source: ContractDatabases,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): Promise<readonly IndexedToken[] | null> {
  const found: IndexedToken[] = [];
  for (let at = 0; at < accounts.length; at += ACCOUNTS_AT_ONCE) {
    if (at > 0) await nextTurn();
    const states = findStates(scope, source, kinds, accounts.slice(at, at + ACCOUNTS_AT_ONCE));
    if (!states) return null;
    found.push(...states);
  }
  return found;
}

function findStates(
  scope: IndexScope,
  source: ContractDatabases,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): readonly IndexedToken[] | null {
  const both = openBoth(scope, source, STATE);
  if (!both) return null;
  const codes = kinds.map(toCode);
  const among = { lowest: Math.min(...codes), highest: Math.max(...codes), last: source.visible.last };
  const states = both.flatMap(({ lookUps, isDetected }) =>
    accounts
      .flatMap((account) => newestRows(lookUps, account, among))
      .map(({ key, value }) => ({
        account: key.subarray(0, ID_BYTES),
        payload: toBuffer(value),
        isDetected,
      })),
  );
  // Asked afterwards: a step that left the index meanwhile makes nothing absent.
  return knowsAllVisible(both) ? states : null;
}

/** The newest row of each kind of an account, in a range of kinds, up to a step. */
function newestRows(
  lookUps: LookUps,
  { hash, workchain }: AccountId,
  { lowest, highest, last }: { readonly lowest: number; readonly highest: number; readonly last: number },
): readonly IndexedRow[] {
  const { name } = STATE.lookUp;
  const id = toId(hash);
  const { below } = keysWith(toKey(id, workchain, highest));
  const rows: IndexedRow[] = [];
  for (let kind = lowest; kind <= highest; kind++) {
    const [newest] = lookUps.range(name, { from: toKey(id, workchain, kind), below }, 1);
    if (!newest) break;
    kind = newest.key[ACCOUNT_BYTES] as number;
    const ofKind = keysWith(toKey(id, workchain, kind), toKey(id, workchain, kind, last));
    const row = newest.step <= last ? newest : lookUps.range(name, ofKind, 1)[0];
    if (row) rows.push(row);
  }
  return rows;
}

/** The same look-up of both databases; null if the index lacks visible rows: then it is not read in vain. */
export function openBoth(
  scope: IndexScope,
  source: ContractDatabases,
  { lookUp: { name } }: TableLookUp,
): readonly ContractLookUps[] | null {
  const both = getContractLookUps(scope, source, { cells: name, detected: name });
  return both && knowsAllVisible(both) ? both : null;
}

/** The account at a place of a key. */
export function readAccount(key: Buffer, place: number): AccountId {
  const hash = key.toString('hex', place, place + ID_BYTES).toUpperCase();
  return { workchain: key.readInt32BE(place + ID_BYTES), hash };
}

/** A kind as keys have it. */
export function toCode(kind: TokenKind): number {
  return CODES[kind];
}

/** An account id as keys have it. */
export function toId(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}
