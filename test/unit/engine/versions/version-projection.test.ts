import { describe, expect, it } from 'vitest';
import { ACTIVITY } from '../../../../pipelines/activity.ts';
import { BASE } from '../../../../pipelines/base.ts';
import { CONTRACTS } from '../../../../pipelines/contracts.ts';
import { ACTIONS, DETECTIONS, LAKE } from '../../../../pipelines/projections.ts';
import { TRACES } from '../../../../pipelines/traces.ts';
import { getFingerprint } from '../../../../src/engine/versions/version-projection.ts';

/**
 * The tables of each version of a projection's code. If the second column no longer fits, a release with other tables
 * needs the next version: raise `version` in pipelines/<name>.ts, and write both here.
 */
const TABLES: Readonly<Record<string, readonly [version: number, fingerprint: string]>> = {
  base: [7, '88650e39aa3e6e4b8fdbf4872bfa8aaf4418892f2aa77302846b750b1b56f008'],
  activity: [2, '43fa668f4d112484ffb06df9d8a51a10788666b8fa059b83de73a058e6e12ece'],
  contracts: [9, '55af3cb9a181efe539b43bf6f121a480a6fdb1c7fc9933fa7eef1180049c4b09'],
  detections: [3, '4e43d2a8a2b8b9b4be1486e2a46f216720a4d2786e1665ab3cf80bf99e4b1935'],
  actions: [16, '35561a152abbcfd4821e7675f4dc9db239763d59c6caebc0d01629c03a923548'],
  lake: [5, 'e9666c85cd6648e031f2ddd3a2110ba9fa5433cc8f1d43f8e90997d0656659ab'],
  traces: [2, '8e8d4b9701fe1ccc660aba5fe7533b0192584888f1ff590234bc8ba8b898f137'],
};

describe('tables of a projection', () => {
  it.each(
    [BASE, ACTIVITY, CONTRACTS, DETECTIONS, TRACES, ACTIONS, LAKE].map(
      (projection) => [projection.name, projection] as const,
    ),
  )('of %s change with its version only', (name, projection) => {
    expect([projection.version, getFingerprint(projection)]).toEqual(TABLES[name]);
  });
});
