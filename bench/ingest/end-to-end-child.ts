/** `node end-to-end-child.ts OPTIONS` (JSON): the timed run in a process of its own; prints its result as JSON. */
import { planChain } from '../synthetic/chain-plan.ts';
import { readRealBlocks } from '../synthetic/real-blocks.ts';
import { type ChildOptions, NETWORK } from './child-options.ts';
import { runEndToEnd } from './end-to-end.ts';

const options = JSON.parse(process.argv[2] ?? '') as ChildOptions;
const plan = planChain(readRealBlocks(options.blocks), options.transactions, options.epochs, NETWORK);
process.stdout.write(`${JSON.stringify(await runEndToEnd(options.data, plan))}\n`);
