import type { Bus, LogIdentity, LogRecord } from '../log/port.ts';
import type { Log } from '../platform/observability/log.ts';
import { toHex } from '../ton/hash/hex.ts';
import { blockIdText, isMasterchain } from './block-id.ts';
import { readLoggedIds } from './isolated/below-tail.ts';
import { LateStateError } from './late-states.ts';
import type { SourceState } from './source.ts';
import { RAW_BLOCKS } from './step-records.ts';

/** The log that states are compared with. */
export interface LoggedStates {
  readonly bus: Bus;
  readonly identity: LogIdentity;
  /** Records of the states that the log has at a masterchain seqno. */
  readonly statesAt: (mcSeqno: number) => Promise<readonly LogRecord[]>;
}

/**
 * That states given to the stage `capture` are those which its log began with: it has no store to take others into. A new
 * log begins with them; of one whose beginning was freed nothing is known, which is said.
 *
 * @throws LateStateError
 */
export async function checkLoggedStates(
  logged: LoggedStates,
  states: readonly SourceState[],
  log: Log,
): Promise<void> {
  const bounds = await logged.bus.bounds(RAW_BLOCKS);
  if (states.length === 0 || bounds.every(({ next }) => next === 0)) return;
  const hashes = await rootHashes(logged, states);
  const isCut = bounds.some(({ first }) => first > 0);
  for (const state of states) {
    const facts = { state: blockIdText(state.id), file: state.origin };
    if (hashes.get(facts.state) === toHex(state.id.rootHash))
      log.info(facts, 'the log has this state already');
    else if (isCut && !hashes.has(facts.state))
      log.warn(facts, 'the beginning of the log is freed: this state is passed over');
    else
      throw new LateStateError(
        state,
        'the log did not begin with it; `tonhouse index` or `tonhouse up` may take it in',
      );
  }
}

/** Root hashes (hex) of the states in the log, by key. */
async function rootHashes({ bus, identity, statesAt }: LoggedStates, states: readonly SourceState[]) {
  const hashes = new Map<string, string | undefined>();
  if (identity.facts.continuity === 'isolated') {
    for (const [key, { kind, root_hash }] of await readLoggedIds(bus))
      if (kind === 'state') hashes.set(key, root_hash);
    return hashes;
  }
  const masterchain = states.filter(({ id }) => isMasterchain(id));
  const positions = new Set((masterchain.length > 0 ? masterchain : states).map(({ mcSeqno }) => mcSeqno));
  for (const position of positions)
    for (const { key, headers } of await statesAt(position)) hashes.set(key, headers.root_hash);
  return hashes;
}
