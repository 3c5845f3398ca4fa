/** `npm run bench:routes`: the part of `bench:api` that asks every GET route of v3, over a local chain. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureRoutes, ROUTES_TRANSACTIONS } from './api/measure-routes.ts';
import { printRoutes, routeFigures } from './api/print-routes.ts';
import { BenchError } from './common/bench-error.ts';
import { count, readSwitch } from './common/options.ts';

const HELP = `bench:routes: latency, rows read and CPU time of every GET route of v3

  --transactions N   of the local chain (default ${ROUTES_TRANSACTIONS})
  --requests N       requests of each row at one connection (default 100)
  --only TEXT        only rows whose name has this text
  --data DIR         keep the index of the chain there, and use the one that is there (default: a temporary one)
  --lookup-index off the measured API has no look-up index (default on: complete before it is measured)
  --json             one JSON object instead of a table
  --help             this text
`;

try {
  const { values } = parseArgs({
    options: {
      transactions: { type: 'string', default: `${ROUTES_TRANSACTIONS}` },
      requests: { type: 'string', default: '100' },
      only: { type: 'string', default: '' },
      data: { type: 'string' },
      'lookup-index': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) process.stdout.write(HELP);
  else {
    const transactions = count('transactions', values.transactions);
    const requests = count('requests', values.requests);
    const { figures } = await measureRoutes({
      ...{ transactions, requests, only: values.only },
      data: values.data === undefined ? null : resolve(values.data),
      lookUpIndex: readSwitch('lookup-index', values['lookup-index']),
    });
    if (values.json)
      process.stdout.write(`${JSON.stringify({ transactions, routes: figures.map(routeFigures) })}\n`);
    else printRoutes(figures, transactions);
  }
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
