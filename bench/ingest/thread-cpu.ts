import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of this process's threads, ms, by thread; none if the system does not report it (not Linux). */
export type ThreadCpu = ReadonlyMap<string, { readonly name: string; readonly ms: number }>;

const TASKS = '/proc/self/task';
/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;

export function threadCpu(): ThreadCpu {
  if (process.platform !== 'linux') return new Map();
  return new Map(
    readdirSync(TASKS).flatMap((id) => {
      try {
        const stat = readFileSync(`${TASKS}/${id}/stat`, 'latin1');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        return [[id, { name, ms: (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK }] as const];
      } catch {
        // The thread has ended meanwhile.
        return [];
      }
    }),
  );
}

/** CPU time of threads since then, by name; threads of one name are added up. */
export function threadCpuSince(before: ThreadCpu): Record<string, number> {
  const spent: Record<string, number> = {};
  for (const [id, { name, ms }] of threadCpu()) {
    spent[name] = (spent[name] ?? 0) + ms - (before.get(id)?.ms ?? 0);
  }
  return spent;
}
