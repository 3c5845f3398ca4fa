import type { StoredInput } from '../../../engine/projection/stored-input.ts';
import { fedInput } from '../../records/fed-input.ts';
import { finishedRecords } from './finished-records.ts';

/** The log `traces` as the projection's tables keep it: a step's items are the transactions of its finished traces. */
export const TRACE_INPUT: StoredInput = fedInput({
  projection: 'traces',
  records: finishedRecords,
  items: (database, { first, last }) =>
    `SELECT mc_seqno, toString(sum(transactions)) FROM ${database}.traces
     WHERE mc_seqno BETWEEN ${first} AND ${last} AND state = 'complete' GROUP BY mc_seqno`,
  itemBytes: 50,
  isKey: (key, position) => key === String(position),
});
