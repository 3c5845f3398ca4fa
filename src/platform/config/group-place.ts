type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = 'TONHOUSE_GROUP_PLACE';

/** Place of a process in a group of processes that serve one address. */
export interface GroupPlace {
  /** 1 to `count`. */
  readonly number: number;
  readonly count: number;
  /** The port of the group. */
  readonly port: number;
}

/** The place of this process, as the process that started it chose it. Null: it is in no group. */
export function readGroupPlace(environment: Environment = process.env): GroupPlace | null {
  const found = /^(\d+)\/(\d+):(\d+)$/.exec(environment[VARIABLE] ?? '');
  return found && { number: Number(found[1]), count: Number(found[2]), port: Number(found[3]) };
}

/** Variables for a process of a group. Only the first process of a group follows its standard input. */
export function toGroupVariables({ number, count, port }: GroupPlace): Record<string, string> {
  return { [VARIABLE]: `${number}/${count}:${port}`, TONHOUSE_STOP_WITH_INPUT: '' };
}
