import { processesContract } from './processes-contract.ts';
import { temporaryLog } from './temporary-log.ts';

processesContract('the embedded log', temporaryLog, {
  sessionMs: 200,
  seeds: [1, 2, 3],
  kills: 7,
});
