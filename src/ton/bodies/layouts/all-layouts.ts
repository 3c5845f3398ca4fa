import { EXTERNAL } from './external.ts';
import { FORWARD_PAYLOAD } from './forward-payload.ts';
import { INTERNAL_0 } from './internal-0.ts';
import { INTERNAL_1 } from './internal-1.ts';
import { INTERNAL_2 } from './internal-2.ts';
import { INTERNAL_3 } from './internal-3.ts';
import { INTERNAL_4 } from './internal-4.ts';
import { INTERNAL_5 } from './internal-5.ts';
import { INTERNAL_6 } from './internal-6.ts';
import { INTERNAL_7 } from './internal-7.ts';
import { INTERNAL_8 } from './internal-8.ts';
import { INTERNAL_9 } from './internal-9.ts';
import { INTERNAL_10 } from './internal-10.ts';
import { INTERNAL_11 } from './internal-11.ts';
import { PARTS_A_C } from './parts-a-c.ts';
import { PARTS_D_S } from './parts-d-s.ts';
import { PARTS_ST_Z } from './parts-st-z.ts';
import { WALLETS } from './wallets.ts';

/** Every known layout of a body, in TL-B. */
export const ALL_LAYOUTS = [
  INTERNAL_0,
  INTERNAL_1,
  INTERNAL_2,
  INTERNAL_3,
  INTERNAL_4,
  INTERNAL_5,
  INTERNAL_6,
  INTERNAL_7,
  INTERNAL_8,
  INTERNAL_9,
  INTERNAL_10,
  INTERNAL_11,
  EXTERNAL,
  FORWARD_PAYLOAD,
  PARTS_A_C,
  PARTS_D_S,
  PARTS_ST_Z,
  WALLETS,
].join('');

/** Types whose constructors differ by opcode, in the order of trials (v3-rules.md 10). */
export const OP_GROUPS: readonly string[] = [
  'OpBody',
  ...Array.from({ length: 12 }, (_, group) => `InternalMsgBody${group}`),
  'ExternalMsgBody',
  'ForwardPayload',
];

/** The type of bodies without an op. */
export const SIGNED_BODIES = 'SignedBody';

/** Opcodes whose name is not the name of the first layout: all meanings, if none can be chosen. */
export const NAMES_OF_OPS: ReadonlyMap<number, string> = new Map([
  [0x0000_0001, 'evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin'],
]);
