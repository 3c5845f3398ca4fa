import type { SeededRandom } from '../../helpers/seeded-random.ts';
import type { Call, Outcome, Route } from './http-call.ts';
import type { HostileContract } from './payloads/hostile-contract.ts';
import type { RawOutcome } from './raw-exchange.ts';
import type { ServerUnderAttack } from './server-under-attack.ts';

/** Accounts of the local chain that attacks and honest calls ask for, in raw form. */
export interface KnownAccounts {
  /** A wallet of the genesis without use. */
  readonly wallet: string;
  /** The deployed contract of hostile.tolk. */
  readonly hostile: string;
}

/** Targets and tools of an attack, and `must`, by which it reports its findings. */
export interface AttackContext {
  readonly server: ServerUnderAttack;
  readonly route: Route;
  /** Addresses of this machine: several for attackers that look like many clients, and one for the honest client. */
  readonly addresses: { readonly many: readonly (string | undefined)[]; readonly honest: string | undefined };
  readonly accounts: KnownAccounts;
  readonly contract: HostileContract;
  readonly random: SeededRandom;
  /** The short run: an attack that only waits, or repeats itself, does so for a shorter time. */
  readonly isShort: boolean;
  /** Sends one request; its answer is counted, and must be one that a hostile request may get. */
  send(call: Call): Promise<Outcome>;
  /** As `send`, `atOnce` at a time. */
  sendAll(calls: Iterable<Call>, atOnce: number): Promise<Outcome[]>;
  /** Sends bytes on a connection of their own; each status is counted. */
  raw(bytes: string | Buffer, waitMs?: number): Promise<RawOutcome>;
  /** A condition that must hold; `what` is printed if it does not. */
  must(holds: boolean, what: string): void;
}

/** One way to harm a running server. */
export interface Attack {
  readonly name: string;
  /** Requirements during the whole attack, in addition to every attack's (see bounds.ts). */
  readonly holds: string;
  /** Resolves when it has sent all of it: bounded in count and time. */
  run(context: AttackContext): Promise<void>;
  /** The store is away during the attack, so honest answers wait for it: they are not compared with rest. */
  readonly isOutage?: true;
  /** The attack must wait for a time limit of the server, so the short run leaves it out. */
  readonly isLong?: true;
  /** Errors that honest clients may get meanwhile, in addition to 503 and 429. */
  readonly honestMayGet?: RegExp;
  /** Bounds of this attack in place of the usual ones. */
  readonly bounds?: Partial<Bounds>;
}

/** Bounds that must hold in every attack. */
export interface Bounds {
  /** Longest time for which the server's main thread answers nothing, ms. */
  readonly stallMs: number;
  /** 99th percentile of honest answers, ms. */
  readonly honestP99Ms: number;
  /** Part of the honest requests that gets its right answer, the others 503 or 429. */
  readonly honestServed: number;
  /** Resident memory of the server beyond that before the first attack, MB. */
  readonly growthMb: number;
  /** Output of the server to its log, bytes. */
  readonly logBytes: number;
}
