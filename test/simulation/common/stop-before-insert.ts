/**
 * Loaded into processes that a simulation starts (`--import`). On request, the process stops itself (SIGSTOP) at its
 * next insert into a landing table: the batch is in the journal, the lease was checked, and not a byte was sent.
 */
import { subscribe } from 'node:diagnostics_channel';
import { GO_ON, STOP } from './stop-messages.ts';

const INSERT = /[?&]query=INSERT(\+|%20)INTO(\+|%20)[^&]*\.land_/;
let isArmed = false;

process.on('message', (message) => {
  if (message === STOP) isArmed = true;
  if (message === GO_ON) isArmed = false;
});
process.channel?.unref();

subscribe('http.client.request.created', (message) => {
  const { request } = message as { readonly request: { readonly path: string } };
  if (!isArmed || !INSERT.test(request.path)) return;
  isArmed = false;
  process.kill(process.pid, 'SIGSTOP');
});
