/**
 * A process that owns an embedded server: `node embedded-owner.ts DIRECTORY`. Prints the server's state as one line
 * of JSON and stays until it is killed.
 */
import { startEmbeddedServer } from '../../src/platform/clickhouse/embedded/embedded-server.ts';

const directory = process.argv[2];
if (!directory) throw new Error('usage: embedded-owner.ts DIRECTORY');
const { stop, exited, ...state } = await startEmbeddedServer({ directory, memoryLimitBytes: 2 * 1024 ** 3 });
console.log(JSON.stringify(state));
await exited;
await stop();
