/**
 * Captures a source into a log in small appends, until its end or until its n-th append, when it kills itself:
 * `node capture-child.ts DIRECTORY SPEC N`.
 */
import { resolve } from 'node:path';
import { runCapture } from '../../src/capture/capture-stage.ts';
import { openSource } from '../../src/cli/compose/open-source.ts';
import { openEmbeddedBus } from '../../src/log/sqlite/embedded-bus.ts';
import { AvroCodec } from '../../src/platform/avro/avro-codec.ts';
import { loadSchemas } from '../../src/platform/avro/schema-files.ts';

const [directory = '', spec = '', last = ''] = process.argv.slice(2);
let appends = 0;
const bus = await openEmbeddedBus({ directory });
const source = await openSource(spec);
await runCapture({
  source,
  bus,
  codec: new AvroCodec(loadSchemas(resolve(import.meta.dirname, '../../schemas'))),
  owner: `child:${process.pid}`,
  sessionMs: 200,
  identity: { epochSize: 20, lanes: 3 },
  batch: { bytes: 20_000, ms: 200 },
  signal: new AbortController().signal,
  onProgress() {
    if (++appends === Number(last)) process.kill(process.pid, 'SIGKILL');
  },
  log: { info: () => {}, warn: () => {} },
});
await source.close();
await bus.close();
