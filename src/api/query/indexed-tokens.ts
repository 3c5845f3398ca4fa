import { TOKEN_OUTCOME_TARGET } from '../../tables/detections.ts';
import { getLookUp, keyBuilder } from '../../tables/look-ups/look-ups.ts';
import { TOKEN_TARGETS } from '../../tables/token-states.ts';
import type { LookUps } from '../look-up-port.ts';
import type { ServeContext } from '../serve-context.ts';
import type { VisibleRange } from '../version-vector.ts';
import type { AccountId } from './account-id.ts';
import { getLookUps, isAbsent } from './look-ups.ts';

const TOKEN = getLookUp(TOKEN_TARGETS.find(({ name }) => name === 'token_firsts')!, 'token');
const DETECTED = getLookUp(TOKEN_OUTCOME_TARGET, 'detected_token');
/** Both keys begin with the account. */
const toKey = keyBuilder(TOKEN);

/** The served version of `contracts`, and the database of `detections`; null if the store has none. */
interface TokenDatabases {
  readonly database: string;
  readonly visible: VisibleRange;
  readonly detected: string | null;
}

/** Where a token would be found. */
interface Place {
  readonly lookUps: LookUps;
  readonly name: string;
  readonly visible: VisibleRange;
}

/** Returns true for an account that was a token once, or if the look-up index does not know that it was not. */
export function mayBeToken(
  { context }: { readonly context: ServeContext },
  { database, detected, visible }: TokenDatabases,
): (account: AccountId) => boolean {
  const { detections } = context.vector();
  const places = [toPlace(context, database, TOKEN.lookUp.name, visible)];
  if (detected !== null)
    places.push(
      detections.state === 'served' && detections.database === detected
        ? toPlace(context, detected, DETECTED.lookUp.name, detections.visible)
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
