/**
 * Runs a command and ends it (kill -9) when its standard input ends: `node kafka-guard.ts COMMAND ARGS…`. The
 * owner that started this holds the other end of that pipe, so the command dies with it, however it dies. Prints the
 * command's process id as its first line.
 */
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
if (!command) throw new Error('usage: kafka-guard.ts COMMAND ARGS…');
const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
const end = () => child.kill('SIGKILL');
process.stdin.on('end', end).on('close', end).on('error', end).resume();
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
// The owner may be gone before the line is written.
process.stdout.on('error', end);
child.on('error', (error) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(signal ? 137 : (code ?? 1)));
if (child.pid) process.stdout.write(`${child.pid}\n`);
