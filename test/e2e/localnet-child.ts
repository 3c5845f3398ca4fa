/** Captures a local chain under traffic until it is killed: `node localnet-child.ts DIRECTORY`. */
import { join, resolve } from 'node:path';
import { runCapture } from '../../src/capture/capture-stage.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import { openEmbeddedBus } from '../../src/log/sqlite/embedded-bus.ts';
import { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';

const [directory = ''] = process.argv.slice(2);
const bus = await openEmbeddedBus({ directory: join(directory, 'log') });
const source = await openSource('localnet', {
  localnet: {
    directory: join(directory, 'localnet'),
    seed: 'killed',
    shards: 2,
    pace: { blockMs: 0, idleMs: 0 },
    traffic: 4,
    secondsPerBlock: 5,
    genesisUtime: 1_750_000_000,
  },
});
await runCapture({
  source,
  bus,
  codec: new AvroCodec(loadSchemas(resolve(import.meta.dirname, '../../schemas'))),
  owner: `child:${process.pid}`,
  sessionMs: 200,
  identity: { epochSize: 20, lanes: 3 },
  // Appends of several steps, so that a kill loses some that localnet has kept.
  batch: { bytes: 200_000, ms: 100 },
  signal: new AbortController().signal,
  onProgress: ({ mcSeqno }) => process.stdout.write(`${mcSeqno}\n`),
  log: { info: () => {}, warn: () => {} },
});
