/**
 * Worker thread of the server process. The main thread is inside the engine while the server runs, so this thread
 * watches the pipe to the owner. If the pipe closes, the owner is gone, and the server exits at once. ClickHouse
 * survives that like a power cut.
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
