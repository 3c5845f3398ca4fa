import type { Bus, LogIdentity, SealedRange } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { ConflictError } from '../../platform/errors/error-kinds.ts';
import type { StoredInput } from '../projection/stored-input.ts';
import type { PositionRange } from '../ranges/position-ranges.ts';

/** An index of a part of the chain, which is read. */
export interface RangeIndex {
  /** Its data directory, for messages. */
  readonly name: string;
  readonly identity: LogIdentity;
  readonly client: StoreClient;
  readonly bus: Bus;
  /** Sealed files of its log, and their paths. */
  readonly sealed: readonly (SealedRange & { readonly path: string })[];
  /** Highest position in its log, -1 if nothing was appended. */
  readonly logged: number;
  readonly deadLetters: number;
}

/** What two ranges must agree about at their border. */
export interface Border {
  /** Root hash of the last record of the step. */
  readonly rootHash: string;
  /** Hash that the step's last record names as the one before it. */
  readonly previous: string;
}

/** Reads the border of a step; null if the store does not have the step. */
export type ReadBorder = (
  store: Parameters<StoredInput['highest']>[0],
  position: number,
) => Promise<Border | null>;

/** The range cannot be joined. */
export class JoinRefusedError extends ConflictError {
  readonly range: string;

  constructor(range: string, reason: string) {
    super(`${range} cannot be joined: ${reason}`);
    this.range = range;
  }
}

const shown = ({ first, last }: PositionRange) => `masterchain blocks ${first} to ${last}`;

/** Checks that a range is of the index's network and was made with the same facts. @throws JoinRefusedError */
export function checkIdentity(
  into: LogIdentity,
  { name, identity }: Pick<RangeIndex, 'name' | 'identity'>,
): void {
  const refuse = (what: string, found: string, wanted: string, advice = '') => {
    throw new JoinRefusedError(name, `its ${what} is ${found}, this index has ${wanted}${advice}`);
  };
  if (identity.network !== into.network) refuse('network', identity.network, into.network);
  if (identity.id !== into.id) refuse('zerostate', identity.id, into.id);
  if (into.facts.continuity !== 'chain')
    throw new JoinRefusedError(name, 'this index has unrelated blocks (--isolated), which have no order');
  for (const [what, flag] of [
    ['epochSize', '--epoch-size'],
    ['lanes', '--lanes'],
  ] as const)
    if (identity[what] !== into[what])
      refuse(
        flag.slice(2),
        String(identity[what]),
        String(into[what]),
        `: make the range with ${flag} ${into[what]}`,
      );
  for (const fact of new Set([...Object.keys(into.facts), ...Object.keys(identity.facts)])) {
    const [found, wanted] = [identity.facts[fact] ?? 'nothing', into.facts[fact] ?? 'nothing'];
    const advice = fact === 'start_lt' ? `: make the range with --start-lt ${wanted}` : '';
    if (found !== wanted) refuse(fact, found, wanted, advice);
  }
}

/** What of a range is to be joined: all of it, or nothing because the index has it. */
export type JoinPlan = 'join' | 'present';

/**
 * Decides what to do with a range after `last`, the newest step of the index's log.
 * @throws JoinRefusedError: it overlaps, leaves a gap or is not complete
 */
export function planRange(
  range: Pick<RangeIndex, 'name' | 'logged' | 'deadLetters'>,
  islands: readonly PositionRange[],
  { first, last }: PositionRange,
): JoinPlan {
  const [own, ...others] = islands;
  const { name, logged, deadLetters } = range;
  if (!own) throw new JoinRefusedError(name, 'it has no blocks');
  if (others.length > 0 || own.last !== logged)
    throw new JoinRefusedError(
      name,
      `it is not complete: its log ends at ${logged}, and its store has ${islands.map(shown).join(', ')}. Run its index to the end`,
    );
  if (deadLetters > 0)
    throw new JoinRefusedError(
      name,
      `it has ${deadLetters} dead letters: \`tonhouse dead-letters retry --data ${name}\``,
    );
  if (own.first >= first && own.last <= last) return 'present';
  const here = shown({ first, last });
  if (own.first <= last) throw new JoinRefusedError(name, `${shown(own)} overlap with ${here} of this index`);
  if (own.first > last + 1)
    throw new JoinRefusedError(
      name,
      `it begins at ${own.first}, and this index ends at ${last}: masterchain blocks ${last + 1} to ${own.first - 1} are missing`,
    );
  return 'join';
}
