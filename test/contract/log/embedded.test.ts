import { busContract } from './bus-contract.ts';
import { temporaryLog } from './temporary-log.ts';

busContract('the embedded log', temporaryLog);
