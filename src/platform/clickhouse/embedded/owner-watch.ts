/**
 * Worker thread of the server process: the main thread is inside the engine for as long as the server runs, so this
 * thread watches the pipe to the owner. Its end means that the owner is gone, whatever killed it: the server goes
 * too, at once, since nobody would ever stop it. ClickHouse survives that as it survives a power cut.
 */
import { Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';

const STDIN = 0;

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

const pipe = new Socket({ fd: STDIN, readable: true, writable: false });
pipe.on('end', die);
pipe.on('error', die);
pipe.on('close', die);
pipe.resume();
parentPort?.postMessage('watching');
