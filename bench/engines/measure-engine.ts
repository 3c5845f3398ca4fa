import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BenchError } from '../common/bench-error.ts';
import { MIB, note } from '../common/report.ts';
import type { ChildTask, Measures } from './child-task.ts';
import type { EngineName } from './engine-list.ts';
import { runEngine } from './engine-process.ts';
import type { EnginesOptions } from './engines-options.ts';
import { createMemoryGroup } from './memory-group.ts';
import { type Kills, tryKills } from './try-kills.ts';
import { type SecondProcess, trySecondProcess } from './try-second-process.ts';

/** Figures of one engine. */
export interface EngineFigures extends Measures {
  readonly kills: Kills;
  readonly secondProcess: SecondProcess;
  /** What limited the memory; null: nothing. */
  readonly limit: string | null;
}

type Store = Pick<ChildTask, 'engine' | 'place'>;

/** Enough for the runs in which a process is killed. */
const KILL_KEYS = 1_000_000;

/** Measures one engine in new folders, which are removed afterwards. @throws BenchError if its process fails */
export async function measureEngine(
  engine: EngineName,
  data: string,
  options: EnginesOptions,
): Promise<EngineFigures> {
  const inFolder = async <Result>(part: string, work: (store: Store) => Promise<Result>) => {
    const folder = join(data, `${engine}-${part}`);
    mkdirSync(folder, { recursive: true });
    try {
      const { modules, rowsPerFile } = options;
      return await work({ engine, place: { folder, modules, rowsPerFile } });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  note(`${engine}: kills`);
  const kills = await inFolder('kills', (store) => tryKills(store, Math.min(options.keys, KILL_KEYS)));
  note(`${engine}: a second process`);
  const secondProcess = await inFolder('second', trySecondProcess);
  note(`${engine}: inserts`);
  const measured = await inFolder('keys', (store) => measureInGroup(store, options));
  return { ...measured, kills, secondProcess };
}

async function measureInGroup(store: Store, { keys, minutes, memoryMb }: EnginesOptions) {
  const group = createMemoryGroup(memoryMb * MIB);
  if (!group) note('no cgroup can be written here: the memory has no limit');
  try {
    const message = await runEngine({ ...store, kind: 'measure', keys, minutes }, group);
    if (message.kind !== 'measured') throw new BenchError(`figures expected, ${message.kind} found`);
    return { ...message.measures, limit: group?.kind ?? null };
  } finally {
    await group?.remove();
  }
}
