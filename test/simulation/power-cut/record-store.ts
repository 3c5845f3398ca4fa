/**
 * Loaded into an index (`--import`): its store starts with the recorder too. The store's process gets no environment of its
 * parent, so that the variables are given to it here.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const RECORDER = ['LD_PRELOAD', 'POWER_CUT_ROOT', 'POWER_CUT_RECORD', 'POWER_CUT_KEEP'];
const own = Object.fromEntries(RECORDER.map((name) => [name, process.env[name]]));
const spawn = childProcess.spawn as (...call: unknown[]) => childProcess.ChildProcess;

function recorded(command: string, args: readonly string[], options: childProcess.SpawnOptions) {
  const isStore = args.some((arg) => arg.endsWith('server-process.ts'));
  const env = isStore ? { ...options.env, ...own } : options.env;
  return spawn(command, args, { ...options, env });
}

Object.assign(childProcess, { spawn: recorded });
syncBuiltinESMExports();
