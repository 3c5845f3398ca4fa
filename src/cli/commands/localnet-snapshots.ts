import type { Command } from 'commander';
import { awaitChange } from '../../localnet/control/await-change.ts';
import { callControl } from '../../localnet/control/control-client.ts';
import { getChainDirectory } from './localnet-arguments.ts';

type Flags = Record<string, unknown>;

/** `tonhouse localnet snapshot`, `revert`, `snapshots`. `add` makes a command, `done` prints its result. */
export function addSnapshots(
  add: (usage: string, description: string) => Command,
  done: (line: string) => void,
): void {
  add(
    'snapshot',
    'store the chain with its index, and print an id for `revert`; restarts its process',
  ).action(async (flags: Flags) => done(await snapshot(flags)));
  add('revert <ID>', 'put a snapshot back, as often as you like; restarts the process').action(
    async (id: string, flags: Flags) => done(await revert(id, flags)),
  );
  add('snapshots', 'list the ids of the snapshots').action(async (flags: Flags) => done(await list(flags)));
}

async function snapshot(flags: Flags): Promise<string> {
  const directory = getChainDirectory(flags);
  const change = await callControl(directory, 'snapshot', {});
  await awaitChange(directory, change);
  return change.id;
}

async function revert(id: string, flags: Flags): Promise<string> {
  const directory = getChainDirectory(flags);
  await awaitChange(directory, await callControl(directory, 'revert', { id }));
  const { seqno } = await callControl(directory, 'status', {});
  return `masterchain block ${seqno}`;
}

async function list(flags: Flags): Promise<string> {
  return (await callControl(getChainDirectory(flags), 'snapshots', {})).ids.join('\n');
}
