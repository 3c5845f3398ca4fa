import { describe, expect, it } from 'vitest';
import { projectionsWith } from '../../../../pipelines/projections.ts';
import { feedReports } from '../../../../src/engine/status/feed-report.ts';
import type { ProjectionReport } from '../../../../src/engine/status/version-report.ts';
import type { GroupLag } from '../../../../src/log/port.ts';

const identity = { epochSize: 100 };
const reader = (end: number): GroupLag => ({
  topic: 'traces',
  group: 'actions',
  lane: 0,
  committed: end,
  end,
  owner: null,
  isPartition: true,
});
const traces = (visible: ProjectionReport['visible']): ProjectionReport => ({
  projection: 'traces',
  served_version: 1,
  served_code: 1,
  code: 1,
  needs_replay: false,
  visible,
  versions: [],
});
const told = (lag: readonly GroupLag[], visible: ProjectionReport['visible']) =>
  feedReports(projectionsWith('1.2'), { lag, reports: [traces(visible)], identity });

describe('what waits to be appended to a topic that a projection feeds', () => {
  it.each([
    ['all, of the epoch of the head, if the topic is empty', 0, { first: 1, last: 250 }, 51],
    ['all that is visible, if it begins within that epoch', 0, { first: 230, last: 250 }, 21],
    ['the steps after the last step of the topic', 245, { first: 1, last: 250 }, 6],
    ['nothing, if the reader does not lag either', 251, { first: 1, last: 250 }, 0],
    ['nothing, if the log was read later than the store', 255, { first: 1, last: 250 }, 0],
  ])('is %s', (_what, end, visible, waiting) => {
    expect(told([reader(end)], visible)).toEqual([
      { topic: 'traces', projection: 'traces', confirmed: visible.last, waiting },
    ]);
  });

  it('is empty while nothing is confirmed, and absent if no process reads', () => {
    expect(told([reader(0)], null)).toEqual([
      { topic: 'traces', projection: 'traces', confirmed: null, waiting: 0 },
    ]);
    expect(told([], { first: 1, last: 5 })).toEqual([]);
  });
});
