import type { Block, BlockKind } from '../tree/block.ts';
import type { Context } from './context.ts';
import type { Found } from './found.ts';

/** Fields that the parts of a pattern have in common. */
interface Common {
  /** A rule that asks for this pattern is fulfilled without it. Default false. */
  readonly optional?: boolean;
  /** Name by which the build finds the block. */
  readonly label?: string;
}

/** Conditions on the blocks around one. */
export interface Surroundings extends Common {
  /** Offered to every direct child; all that match are taken. */
  readonly child?: Pattern;
  /** In order; each takes the first child that it accepts and that none before it took. */
  readonly children?: readonly Pattern[];
  /** Offered to the previous block. */
  readonly parent?: Pattern;
  /**
   * Use of the block's own children that are plain excesses or bounces: `swallow` (default) adds them to what a
   * sub-match found, `first` gives them to the build, `leave` leaves them.
   */
  readonly excesses?: 'swallow' | 'first' | 'leave';
  /**
   * Makes a block of what was found; without it a match is the block itself and what its surroundings gave.
   * @throws Refusal, CellError, BocError: no match, nothing changed
   */
  readonly build?: (block: Block, found: Found, context: Context) => Block;
}

/** Mark that only some blocks have: the op of the message, or the name of the kind. */
export type Mark = number | string;

/** A block that passes a test, in surroundings. */
export interface BlockPattern extends Surroundings {
  readonly form: 'block';
  readonly test: (block: Block, context: Context) => boolean;
  /** A matching block has one of these marks. By default any block may match. */
  readonly marks?: readonly Mark[];
}

/** The first alternative that matches; optional alternatives are not taken for a match of nothing. */
export interface AnyPattern extends Common {
  readonly form: 'any';
  readonly options: readonly Pattern[];
}

/** Steps that repeat: at the block itself first, then at the children of what the last step gave, until the exit matches. */
export interface RepeatPattern extends Common {
  readonly form: 'repeat';
  readonly step: Pattern;
  readonly exit: Pattern;
}

export type Pattern = BlockPattern | AnyPattern | RepeatPattern;

/** A block that passes a test, for which it must have one of the marks, if any are given. */
export function blockThat(
  test: BlockPattern['test'],
  surroundings: Surroundings & Pick<BlockPattern, 'marks'> = {},
): BlockPattern {
  return { form: 'block', test, ...surroundings };
}

/** A plain call (or log) with one of the ops. */
export function call(op: number | readonly number[], surroundings: Surroundings = {}): BlockPattern {
  const test =
    typeof op === 'number'
      ? (block: Block) => block.opcode === op && block.kind.name === 'call_contract'
      : (block: Block) => block.kind.name === 'call_contract' && op.includes(block.opcode as number);
  return blockThat(test, { ...surroundings, marks: [op].flat() });
}

/** The first alternative that matches. */
export function anyOf(options: readonly Pattern[], common: Common = {}): AnyPattern {
  return { form: 'any', options, ...common };
}

/** The same pattern, not required. */
export function optional<P extends Pattern>(pattern: P): P {
  return { ...pattern, optional: true };
}

/** A log with the op. */
export function log(op: number, surroundings: Surroundings = {}): BlockPattern {
  const test = (block: Block) =>
    block.opcode === op && block.destination === null && block.kind.name === 'call_contract';
  return blockThat(test, { ...surroundings, marks: [op] });
}

/** The name, which distinguishes kinds. */
type Named = Pick<BlockKind<never>, 'name'>;

/** A block of one of the kinds. */
export function blockOfKind(kinds: Named | readonly Named[], surroundings: Surroundings = {}): BlockPattern {
  const marks = [kinds].flat().map(({ name }) => name);
  return blockThat(({ kind }) => marks.includes(kind.name), { ...surroundings, marks });
}

/** `step` until `exit`. */
export function repeat(step: Pattern, exit: Pattern, common: Common = {}): RepeatPattern {
  return { form: 'repeat', step, exit, ...common };
}

/** Marks of blocks at which the pattern can begin; null if it may begin at any block. */
export function getMarks(pattern: Pattern): readonly Mark[] | null {
  if (pattern.form === 'block') return pattern.marks ?? null;
  const begins = pattern.form === 'any' ? pattern.options : [pattern.step, pattern.exit];
  const marks = begins.map(getMarks);
  return marks.every((some) => some !== null) ? [...new Set(marks.flat())] : null;
}
