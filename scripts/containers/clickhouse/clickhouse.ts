/** `clickhouse server` and `clickhouse keeper --config-file=PATH` of the stand-in. */
import { runKeeper } from './keeper.ts';
import { runServer } from './server.ts';

const [command, ...words] = process.argv.slice(2);
if (command === 'server') await runServer();
else if (command === 'keeper') runKeeper(words);
else throw new Error(`expected server or keeper, found ${command}`);
