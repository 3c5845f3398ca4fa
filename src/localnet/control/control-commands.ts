import { toHex } from '../../ton/hash/hex.ts';
import { ControlRefusal } from '../control-refusal.ts';
import type { AccountText } from '../genesis/account-list.ts';
import type { LocalnetControl } from '../localnet-control.ts';
import { parseLocalAddress } from './control-address.ts';
import { INTERVENTION_HANDLERS, type InterventionCommands } from './intervention-commands.ts';
import { SNAPSHOT_HANDLERS, type SnapshotCommands } from './snapshot-commands.ts';

/** Commands of a running chain, as they go over the wire. */
export interface ControlCommands extends InterventionCommands, SnapshotCommands {
  readonly accounts: {
    readonly request: object;
    /** The faucet first. */
    readonly answer: { readonly accounts: readonly AccountText[] };
  };
  readonly fund: {
    /** `address`: raw or friendly; `amount`: nanotons, decimal. */
    readonly request: {
      readonly address: string;
      readonly amount: string;
      readonly comment?: string;
    };
    /** Hex hash of the faucet's external message. */
    readonly answer: { readonly hash: string };
  };
  readonly mine: {
    readonly request: { readonly blocks: number };
    readonly answer: { readonly seqno: number };
  };
  /** What the chain is doing. */
  readonly status: {
    readonly request: object;
    readonly answer: {
      readonly seqno: number;
      readonly utime: number;
      /** Transactions per second that are generated. */
      readonly traffic: number;
    };
  };
  /** Sets how many transactions per second are generated; 0 ends the traffic. */
  readonly traffic: {
    readonly request: { readonly per_second: number };
    readonly answer: { readonly per_second: number };
  };
  /** Time as the block made after the jump has it. */
  readonly warp: {
    readonly request: { readonly seconds: number };
    readonly answer: { readonly seqno: number; readonly utime: number };
  };
}

export type ControlCommand = keyof ControlCommands;

/** So many blocks can be asked for at once. */
const MAX_BLOCKS = 100_000;
/** As the setting `--traffic` allows. */
const MAX_TRAFFIC = 10_000;
/** A hundred years: times of blocks have 32 bits. */
const MAX_SECONDS = 3_155_760_000;

type Handlers = {
  readonly [C in ControlCommand]: (
    control: LocalnetControl,
    request: ControlCommands[C]['request'],
  ) => Promise<ControlCommands[C]['answer']>;
};

const HANDLERS: Handlers = {
  ...INTERVENTION_HANDLERS,
  ...SNAPSHOT_HANDLERS,
  accounts: async (control) => ({ accounts: control.accounts }),
  fund: async (control, { address, amount, comment = '' }) => {
    const target = parseLocalAddress('address', address);
    if (!/^\d{1,38}$/.test(amount)) throw new ControlRefusal(`an amount is needed, found ${amount}`);
    const sent = await control.fund(target, BigInt(amount), String(comment));
    if (!sent.ok) throw new ControlRefusal(`the faucet's message was not taken: ${sent.detail}`);
    return { hash: toHex(sent.hash) };
  },
  mine: async (control, { blocks }) => {
    requireCount('blocks', blocks, MAX_BLOCKS);
    // Rejects if nobody reads the chain's steps: it makes none then.
    await control.status();
    return { seqno: await control.mine(blocks) };
  },
  status: async (control) => {
    const { mcSeqno, utime, traffic } = await control.status();
    return { seqno: mcSeqno, utime, traffic };
  },
  traffic: async (control, { per_second }) => {
    requireCount('per_second', per_second, MAX_TRAFFIC, 0);
    await control.setTraffic(per_second);
    return { per_second };
  },
  warp: async (control, { seconds }) => {
    requireCount('seconds', seconds, MAX_SECONDS);
    await control.warp(seconds);
    await control.mine(1);
    const { mcSeqno, utime } = await control.status();
    return { seqno: mcSeqno, utime };
  },
};

function requireCount(what: string, found: number, most: number, least = 1): void {
  if (!Number.isInteger(found) || found < least || found > most)
    throw new ControlRefusal(`${what}: expected a whole number from ${least} to ${most}, found ${found}`);
}

/** Does what was asked for; null for no command. @throws ControlRefusal */
export function runControlCommand(
  control: LocalnetControl,
  command: string,
  request: unknown,
): Promise<unknown> | null {
  if (!Object.hasOwn(HANDLERS, command)) return null;
  const handle = HANDLERS[command as ControlCommand] as (
    control: LocalnetControl,
    request: unknown,
  ) => Promise<unknown>;
  return handle(control, request);
}
