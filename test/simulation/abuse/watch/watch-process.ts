/**
 * The honest client and the stall probe, a process with a session of its own: what an attack computes does not hold them up, and a system that
 * shares its processors by sessions does not take their share for the attack's. Ends with the process that started it.
 */
import type { Route } from '../http-call.ts';
import { honestCalls } from './honest-calls.ts';
import { HonestClient } from './honest-client.ts';
import { StallProbe } from './stall-probe.ts';

const [pid, seed, route] = process.argv.slice(2) as [string, string, string];
const client = new HonestClient(JSON.parse(route) as Route, honestCalls(seed));
const probe = new StallProbe(JSON.parse(route) as Route, Number(pid));
process.on('message', () => process.send?.({ honest: client.take(), stallMs: probe.take() }));
