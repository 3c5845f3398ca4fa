import type { ReplayPlan } from './plan.ts';

const mib = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;

/** Plan of a replay as text. */
export function replayPlanText(plan: ReplayPlan): string {
  const { served, servedCode, next, codeVersion, ranges, size, neededBytes, freeBytes, resumes } = plan;
  const span = ranges.map(({ first, last }) => `${first} to ${last}`).join(', ');
  return [
    `served         version ${served}, built by decoder ${servedCode}`,
    `to be built    version ${next}, by decoder ${codeVersion}${resumes ? '; goes on where it was cut off' : ''}`,
    `decoded anew   masterchain ${span || 'nothing'}: ${size.blocks} blocks, ${size.transactions} transactions, ${mib(size.bytes)}`,
    `disk           about ${mib(neededBytes)} needed, ${mib(freeBytes)} free`,
    '',
  ].join('\n');
}
