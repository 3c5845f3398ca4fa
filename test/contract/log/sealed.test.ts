import { busContract } from './bus-contract.ts';
import { sealedLog } from './sealed-log.ts';

busContract('the embedded log with sealed epochs', sealedLog);
