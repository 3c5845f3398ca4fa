/**
 * The honest client and the stall probe, a process with its own session. An attack's computation does not delay them,
 * and a scheduler that shares processors by sessions does not count them to the attack. Ends with its parent.
 */
import type { Route } from '../http-call.ts';
import { honestCalls } from './honest-calls.ts';
import { HonestClient } from './honest-client.ts';
import { StallProbe } from './stall-probe.ts';

const [pid, seed, route] = process.argv.slice(2) as [string, string, string];
const client = new HonestClient(JSON.parse(route) as Route, honestCalls(seed));
const probe = new StallProbe(JSON.parse(route) as Route, Number(pid));
process.on('message', () => process.send?.({ honest: client.take(), stallMs: probe.take() }));
