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
  contracts: [10, '9fe65d4397a08c066b95a1541a073bb1fea6602e48009312642ccd4e1388b225'],
  detections: [4, 'd21d6d41260d0efdf900d97df8456e7d0bf9527b9f182372131f1113b99adb53'],
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
