/* Writes batches to a file of the look-up index until it is killed: each step replaces the row of every key. */
import { openWriter } from '../../../src/lookup/sqlite-index.ts';
import type { IndexedRow } from '../../../src/lookup/store-port.ts';

const [path = '', keys = '1'] = process.argv.slice(2);
const writer = openWriter({ path, lookUps: ['by_key'], source: 'a' });

function* rowsOf(step: number): Generator<IndexedRow> {
  for (let key = 0; key < Number(keys); key++)
    yield { key: Buffer.from(`key ${key}`), step, value: Buffer.from(`value ${step}`) };
}

for (let step = (writer.progress.covered.at(-1)?.last ?? 0) + 1; ; step++) {
  writer.commit({
    replaces: { first: step, last: step },
    rows: [{ lookUp: 'by_key', rows: rowsOf(step) }],
    progress: { covered: [{ first: 1, last: step }], seenAt: step },
  });
  process.stdout.write(`${step}\n`);
}
