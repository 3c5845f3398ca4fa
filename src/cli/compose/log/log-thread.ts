/** The thread of the log: sealed files have blocks in the form that compresses best. */
import { runLogThread } from '../../../log/sqlite/thread/log-thread.ts';
import { BAG_PACKING } from '../../../ton/boc/split-bag.ts';

runLogThread(BAG_PACKING);
