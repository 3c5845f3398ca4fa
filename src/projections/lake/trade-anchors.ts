import { BIDASK_CURVE_OP, BIDASK_SUCCESS_OPS } from './bidask.ts';
import { LAUNCHPAD_LOGS } from './launchpads.ts';
import { MEGATON_ROUTERS } from './megaton.ts';
import { MOON_SWAP_OP } from './moon.ts';

/* Trades that are no actions are found by these: a trace without them has none. */

/** Opcodes of messages. */
export const MESSAGE_OPS: readonly number[] = [
  ...LAUNCHPAD_LOGS.keys(),
  ...BIDASK_SUCCESS_OPS,
  BIDASK_CURVE_OP,
  MOON_SWAP_OP,
];

/** Opcodes of forward payloads of jettons. */
export const PAYLOAD_OPS: readonly number[] = [BIDASK_CURVE_OP, MOON_SWAP_OP];

/** Accounts that send messages, raw text. */
export const SENDERS: readonly string[] = MEGATON_ROUTERS;
