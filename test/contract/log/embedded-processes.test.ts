import { fuzzSamples } from '../../helpers/fuzz-size.ts';
import { processesContract } from './processes-contract.ts';
import { temporaryLog } from './temporary-log.ts';

processesContract('the embedded log', temporaryLog, {
  sessionMs: 200,
  // Of the first kills, two come while the files are made: without another connection, and with one.
  seeds: [10, 9, 3],
  kills: fuzzSamples(3),
});
