import type { CompiledConstructor } from '../schema/compiled-constructor.ts';
import type { Schema } from '../schema/schema.ts';

const OP_BITS = 32;
/** Types whose constructors differ by opcode, in the order of trials (v3-rules.md 10). */
const OP_TYPES: readonly string[] = ['OpBody', 'InternalMsgBody', 'ExternalMsgBody', 'ForwardPayload'];
/** The type of bodies without an op. */
const SIGNED_BODIES = 'SignedBody';
/** Opcodes whose name is not the name of the first layout: all meanings, if none can be chosen. */
const NAMES_OF_OPS: ReadonlyMap<number, string> = new Map([
  [0x0000_0001, 'evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin'],
]);

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

/**
 * Sorts the layouts of a schema by op.
 * @param users layouts that are tried after those of the schema
 */
export function bodyLayouts(schema: Schema, users: readonly CompiledConstructor[] = []): BodyLayouts {
  const known = OP_TYPES.flatMap((type) => schema.getConstructors(type));
  const withOp = [...known, ...users].filter(({ source }) => source.tag.bits === OP_BITS);
  const byOp = Map.groupBy(withOp, ({ source }) => source.tag.value);
  return {
    byOp,
    withoutOp: known.filter(({ source }) => source.tag.bits < OP_BITS),
    signed: schema.getConstructors(SIGNED_BODIES),
    names: new Map([...[...byOp].map(([op, [first]]) => [op, first!.source.name] as const), ...NAMES_OF_OPS]),
  };
}
