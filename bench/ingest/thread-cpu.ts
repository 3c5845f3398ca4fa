import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process's threads, ms, by thread; none if the system does not report it (not Linux). */
export type ThreadCpu = ReadonlyMap<string, { readonly name: string; readonly ms: number }>;

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;

/** `pid`: default this process. */
export function threadCpu(pid = process.pid): ThreadCpu {
  if (process.platform !== 'linux') return new Map();
  const tasks = `/proc/${pid}/task`;
  return new Map(
    readdirSync(tasks).flatMap((id) => {
      try {
        const stat = readFileSync(`${tasks}/${id}/stat`, 'latin1');
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
export function threadCpuSince(before: ThreadCpu, pid = process.pid): Record<string, number> {
  const spent: Record<string, number> = {};
  for (const [id, { name, ms }] of threadCpu(pid)) {
    spent[name] = (spent[name] ?? 0) + ms - (before.get(id)?.ms ?? 0);
  }
  return spent;
}
