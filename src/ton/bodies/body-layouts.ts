import type { CompiledConstructor } from '../schema/compiled-constructor.ts';
import { Schema } from '../schema/schema.ts';
import { ALL_LAYOUTS, NAMES_OF_OPS, OP_GROUPS, SIGNED_BODIES } from './layouts/all-layouts.ts';

const OP_BITS = 32;

/** Layouts of bodies, by op. */
export interface BodyLayouts {
  /** Layouts that have an op, in the order in which they are tried. */
  readonly byOp: ReadonlyMap<number, readonly CompiledConstructor[]>;
  /** Layouts with neither an opcode nor a signature: tried last if the opcode is unknown. */
  readonly withoutOp: readonly CompiledConstructor[];
  /** Layouts of signed bodies: tried if the opcode is unknown. Each must consume all data. */
  readonly signed: readonly CompiledConstructor[];
  /** Names by op. */
  readonly names: ReadonlyMap<number, string>;
}

/** Returns the known layouts (decoded-bodies.md) and the user's layouts. */
export function bodyLayouts(users: readonly CompiledConstructor[] = []): BodyLayouts {
  const schema = new Schema(ALL_LAYOUTS, 'layouts');
  const known = OP_GROUPS.flatMap((group) => schema.getConstructors(group));
  const withOp = [...known, ...users].filter(({ source }) => source.tag.bits === OP_BITS);
  const byOp = Map.groupBy(withOp, ({ source }) => source.tag.value);
  return {
    byOp,
    withoutOp: known.filter(({ source }) => source.tag.bits < OP_BITS),
    signed: schema.getConstructors(SIGNED_BODIES),
    names: new Map([...[...byOp].map(([op, [first]]) => [op, first!.source.name] as const), ...NAMES_OF_OPS]),
  };
}
