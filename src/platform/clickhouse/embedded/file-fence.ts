/**
 * Landlock (Linux 5.19): a thread gives up every file but those that it names, for itself and for every thread that it
 * starts from then on. Calls, structures and rights: https://docs.kernel.org/userspace-api/landlock.html
 */

import { closeSync, openSync, statSync } from 'node:fs';
import { DataType, load, open } from 'ffi-rs';
import { ConflictError } from '../../errors/error-kinds.ts';

/** The C library as this process has it: the empty path names the program itself. */
const LIBRARY = 'libc';
/** Numbers of the system calls, which all processors share. */
const [CREATE_RULESET, ADD_RULE, RESTRICT_SELF] = [444, 445, 446];
const VERSION_FLAG = 1;
const PATH_BENEATH = 1;
const PR_SET_NO_NEW_PRIVS = 38;
/** The second version lets files be linked from one folder into another, as parts are when tables are cloned. */
const MIN_VERSION = 2;

const [READ_FILE, READ_DIR] = [1n << 2n, 1n << 3n];
/** Execute, write, read, truncate: the possible uses of a file. */
const OF_FILES = (1n << 0n) | (1n << 1n) | READ_FILE | (1n << 14n);
/** Bits 0 to 13, and from the third version on 14, truncate. */
const getRights = (version: number) => (1n << (version >= 3 ? 15n : 14n)) - 1n;

/** Absolute paths; what does not exist is passed over. */
export interface Fence {
  /** Files and folders, with all below, that stay readable. */
  readonly read: readonly string[];
  /** … and writable too. */
  readonly write: readonly string[];
  /** Folders whose files can be created, written and removed, but not read. */
  readonly append: readonly string[];
}

/** Fences the calling thread in. Answers whether it did: not on other systems, and not on older kernels. */
export function fenceFiles(fence: Fence): boolean {
  if (process.platform !== 'linux') return false;
  open({ library: LIBRARY, path: '' });
  const version = call(CREATE_RULESET, null, 0, VERSION_FLAG);
  if (version < MIN_VERSION) return false;
  const all = getRights(version);
  const handled = Buffer.alloc(8);
  handled.writeBigUInt64LE(all);
  const ruleset = call(CREATE_RULESET, handled, handled.length, 0);
  if (ruleset < 0) return false;
  try {
    for (const path of fence.read) allow(ruleset, path, READ_FILE | READ_DIR);
    for (const path of fence.write) allow(ruleset, path, all);
    for (const path of fence.append) allow(ruleset, path, all & ~READ_FILE);
    return noNewPrivileges() && call(RESTRICT_SELF, ruleset, 0, 0) === 0;
  } finally {
    closeSync(ruleset);
  }
}

/** The kernel refused a rule: the engine would fail later. */
class FenceRuleError extends ConflictError {}

function allow(ruleset: number, path: string, rights: bigint): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return;
  const file = openSync(path, 'r');
  try {
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(found.isDirectory() ? rights : rights & OF_FILES);
    rule.writeInt32LE(file, 8);
    if (call(ADD_RULE, ruleset, PATH_BENEATH, rule, 0) !== 0)
      throw new FenceRuleError(`Landlock refused the rule of ${path}`);
  } finally {
    closeSync(file);
  }
}

function noNewPrivileges(): boolean {
  return native('prctl', [PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0]) === 0;
}

function call(number: number, ...args: (number | Buffer | null)[]): number {
  return native('syscall', [number, ...args]);
}

/** Calls a C function whose arguments are integers and pointers; null is the null pointer. */
function native(funcName: string, args: readonly (number | Buffer | null)[]): number {
  return load({
    library: LIBRARY,
    funcName,
    retType: DataType.I64,
    paramsType: args.map((arg) => (Buffer.isBuffer(arg) ? DataType.U8Array : DataType.I64)),
    paramsValue: args.map((arg) => arg ?? 0),
  });
}
