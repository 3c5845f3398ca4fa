/** `node end-to-end-child.ts OPTIONS` (JSON): the timed run in a process of its own; prints its result as JSON. */
import { readRealBlocks } from '../synthetic/real-blocks.ts';
import { type ChildOptions, NETWORK } from './child-options.ts';
import { runEndToEnd } from './end-to-end.ts';

const { blocks, transactions, epochs, data } = JSON.parse(process.argv[2] ?? '') as ChildOptions;
const plan = { real: readRealBlocks(blocks), transactions, epochs, network: NETWORK };
process.stdout.write(`${JSON.stringify(await runEndToEnd(data, plan))}\n`);
