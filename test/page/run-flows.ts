import type { Flow } from './run-flow.ts';

/** Starts flows in their order, some at a time. A flow that must be alone waits for those before it, and the next ones wait for it. */
export async function runFlows(
  flows: readonly Flow[],
  atATime: number,
  run: (flow: Flow) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  for (const flow of flows) {
    while (running.size >= (flow.isAlone ? 1 : atATime)) await Promise.race(running);
    const one = run(flow).finally(() => running.delete(one));
    running.add(one);
    if (flow.isAlone) await one;
  }
  await Promise.all(running);
}
