import { CONTRACT_STATE_TARGET } from '../../tables/contract-states.ts';
import { CONTRACT_OUTCOME_TARGET, TOKEN_OUTCOME_TARGET } from '../../tables/detections.ts';
import { getLookUp, keyBuilder } from '../../tables/look-ups/look-ups.ts';
import { TOKEN_TARGETS } from '../../tables/token-states.ts';
import type { LookUps } from '../look-up-port.ts';
import type { ServeContext } from '../serve-context.ts';
import type { VisibleRange } from '../version-vector.ts';
import type { AccountId } from './account-id.ts';
import { getLookUps, isAbsent } from './look-ups.ts';

const TOKEN = getLookUp(TOKEN_TARGETS.find(({ name }) => name === 'token_firsts')!, 'token');
const DETECTED_TOKEN = getLookUp(TOKEN_OUTCOME_TARGET, 'detected_token');
const CONTRACT = getLookUp(CONTRACT_STATE_TARGET, 'contract');
const DETECTED_CONTRACT = getLookUp(CONTRACT_OUTCOME_TARGET, 'detected_contract');
/** All keys begin with the account. */
const toKey = keyBuilder(TOKEN);

/** The served version of `contracts`, and the database of `detections`; null if the store has none. */
interface TokenDatabases {
  readonly database: string;
  readonly visible: VisibleRange;
  readonly detected: string | null;
}

/** Where an account would be found. */
interface Place {
  readonly lookUps: LookUps;
  readonly name: string;
  readonly visible: VisibleRange;
}

type Condition = (account: AccountId) => boolean;

/** Returns true for an account that was a token once, or if the look-up index does not know that it was not. */
export function mayBeToken(scope: { readonly context: ServeContext }, databases: TokenDatabases): Condition {
  return mayBe(scope, databases, TOKEN.lookUp.name, DETECTED_TOKEN.lookUp.name);
}

/** The same for a contract of `contract_states`. */
export function mayBeContract(
  scope: { readonly context: ServeContext },
  databases: TokenDatabases,
): Condition {
  return mayBe(scope, databases, CONTRACT.lookUp.name, DETECTED_CONTRACT.lookUp.name);
}

function mayBe(
  { context }: { readonly context: ServeContext },
  { database, detected, visible }: TokenDatabases,
  known: string,
  found: string,
): Condition {
  const { detections } = context.vector();
  const places = [toPlace(context, database, known, visible)];
  if (detected !== null)
    places.push(
      detections.state === 'served' && detections.database === detected
        ? toPlace(context, detected, found, detections.visible)
        : null,
    );
  return ({ hash, workchain }) => {
    const key = toKey(Buffer.from(hash, 'hex'), workchain);
    return !places.every((place) => place && isAbsent(place.lookUps, place.name, key, place.visible));
  };
}

function toPlace(context: ServeContext, database: string, name: string, visible: VisibleRange): Place | null {
  const lookUps = getLookUps({ context }, database, name);
  return lookUps && { lookUps, name, visible };
}
