import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../../files/private-directory.ts';
import { isServerLocked } from './server-lock.ts';

/** State file of the running server of a store directory. */
export interface RunningServer {
  readonly directory: string;
  /** Process id of the server. */
  readonly pid: number;
  /** Process that started the server and with which it ends. */
  readonly ownerPid: number;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Password of the user `READER`. */
  readonly readPassword: string;
  /** Password of the user `ANALYST`; absent for a server of an older release. */
  readonly analystPassword?: string;
  /** Database that the analyst may read. */
  readonly lakeDatabase?: string;
  /** ISO time. */
  readonly startedAt: string;
}

function stateFile(directory: string): string {
  return join(directory, 'server.json');
}

/** Replaces the state file as a whole; only the owner of the files may read it, since it holds the password. */
export function writeServerState(state: RunningServer): void {
  writePrivateFile(stateFile(state.directory), `${JSON.stringify(state, null, 2)}\n`);
}

/** The state file, current or stale; null if it is absent or cut by a power loss. */
export function readServerState(directory: string): RunningServer | null {
  try {
    return JSON.parse(readFileSync(stateFile(directory), 'utf8')) as RunningServer;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** The live server of a store directory (it may still be opening), or null; left-over files count as nothing. */
export function findRunningServer(directory: string): RunningServer | null {
  const state = readServerState(directory);
  return state && isServerLocked(directory) ? state : null;
}
