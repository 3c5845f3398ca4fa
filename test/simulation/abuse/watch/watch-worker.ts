/** The honest client and the stall probe, on a thread of their own: what an attack computes does not hold them up. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Route } from '../http-call.ts';
import { honestCalls } from './honest-calls.ts';
import { HonestClient } from './honest-client.ts';
import { StallProbe } from './stall-probe.ts';

const { route, pid, seed } = workerData as {
  readonly route: Route;
  readonly pid: number;
  readonly seed: string;
};
const client = new HonestClient(route, honestCalls(seed));
const probe = new StallProbe(route, pid);
parentPort!.on('message', () => parentPort!.postMessage({ honest: client.take(), stallMs: probe.take() }));
