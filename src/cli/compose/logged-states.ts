import { blockIdText, isMasterchain } from '../../capture/block-id.ts';
import { readLoggedIds } from '../../capture/isolated/below-tail.ts';
import { LateStateError } from '../../capture/late-states.ts';
import type { SourceState } from '../../capture/source.ts';
import { RAW_BLOCKS } from '../../capture/step-records.ts';
import { statesInLog } from '../../engine/replay/extras.ts';
import type { Bus, LogIdentity } from '../../log/port.ts';
import { toHex } from '../../ton/hash/hex.ts';
import type { Session } from '../session.ts';

/**
 * That states given to the stage `capture` are those which its log began with: it has no store to take others into. A new
 * log begins with them; of one whose beginning was freed nothing is known, which is said.
 *
 * @throws LateStateError
 */
export async function checkLoggedStates(
  bus: Bus,
  identity: LogIdentity,
  states: readonly SourceState[],
  { log }: Pick<Session, 'log'>,
): Promise<void> {
  const bounds = await bus.bounds(RAW_BLOCKS);
  if (states.length === 0 || bounds.every(({ next }) => next === 0)) return;
  const logged = await rootHashes(bus, identity, states);
  const isCut = bounds.some(({ first }) => first > 0);
  for (const state of states) {
    const facts = { state: blockIdText(state.id), file: state.origin };
    if (logged.get(facts.state) === toHex(state.id.rootHash))
      log.info(facts, 'the log has this state already');
    else if (isCut && !logged.has(facts.state))
      log.warn(facts, 'the beginning of the log is freed: this state is passed over');
    else
      throw new LateStateError(
        state,
        'the log did not begin with it; `tonhouse index` or `tonhouse up` may take it in',
      );
  }
}

/** Of the states in the log, by key. */
async function rootHashes(bus: Bus, identity: LogIdentity, states: readonly SourceState[]) {
  const hashes = new Map<string, string | undefined>();
  if (identity.facts.continuity === 'isolated') {
    for (const [key, { kind, root_hash }] of await readLoggedIds(bus))
      if (kind === 'state') hashes.set(key, root_hash);
    return hashes;
  }
  const masterchain = states.filter(({ id }) => isMasterchain(id));
  const positions = new Set((masterchain.length > 0 ? masterchain : states).map(({ mcSeqno }) => mcSeqno));
  for (const position of positions)
    for (const { key, headers } of await statesInLog(
      { bus, identity, projection: { reads: RAW_BLOCKS } },
      position,
    ))
      hashes.set(key, headers.root_hash);
  return hashes;
}
