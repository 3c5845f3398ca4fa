import { ControlRefusal } from '../control-refusal.ts';
import type { LocalnetControl } from '../localnet-control.ts';
import type { ChainSnapshots } from '../snapshots/chain-snapshots.ts';
import type { ChainChange, ChainChangeResult } from '../snapshots/snapshot-folder.ts';

/** `pid`: of the process, which the restart does not change. */
export type RequestedChange = ChainChange & { readonly pid: number };

/**
 * Commands that store the chain with its index, and put it back. The answers come before the process restarts; `snapshots` of
 * the restarted process has the result.
 */
export interface SnapshotCommands {
  readonly snapshot: { readonly request: object; readonly answer: RequestedChange };
  readonly revert: { readonly request: { readonly id: string }; readonly answer: RequestedChange };
  readonly snapshots: {
    readonly request: object;
    readonly answer: {
      /** Ids, oldest first. */
      readonly ids: readonly string[];
      /** The last snapshot or revert; null before the first one. */
      readonly last: ChainChangeResult | null;
    };
  };
}

type SnapshotHandlers = {
  readonly [C in keyof SnapshotCommands]: (
    control: LocalnetControl,
    request: SnapshotCommands[C]['request'],
  ) => Promise<SnapshotCommands[C]['answer']>;
};

export const SNAPSHOT_HANDLERS: SnapshotHandlers = {
  snapshot: async (control) => requested((await requireSnapshots(control)).take()),
  revert: async (control, { id }) => requested((await requireSnapshots(control)).revert(id)),
  snapshots: async (control) => {
    const snapshots = await requireSnapshots(control);
    return { ids: snapshots.ids(), last: snapshots.last() };
  },
};

/** @throws ControlRefusal the files of the chain and of its index are not all in the data directory of one process */
async function requireSnapshots(control: LocalnetControl): Promise<ChainSnapshots> {
  // Rejects before the chain makes blocks: only then its server can be restarted.
  await control.status();
  if (control.snapshots) return control.snapshots;
  throw new ControlRefusal(
    'snapshots: only `tonhouse up` with the embedded log and store can store its chain, and put it back',
  );
}

function requested(change: ChainChange): RequestedChange {
  return { ...change, pid: process.pid };
}
