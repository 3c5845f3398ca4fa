import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { knownBodies, knownLayouts } from '../../../src/api/known-bodies.ts';
import { parseSchema } from '../../../src/ton/schema/parse-schema.ts';

const FOLDER = new URL('../../../src/ton/bodies/layouts/', import.meta.url);
const FILES = readdirSync(FOLDER).map((name) => ({
  name,
  constructors: parseSchema(readFileSync(new URL(name, FOLDER), 'utf8'), name),
}));
const OP_TYPES = ['OpBody', 'InternalMsgBody', 'ExternalMsgBody', 'ForwardPayload'];

describe('layouts that come with the product', () => {
  it('all can be compiled, and each type of bodies has some', () => {
    knownLayouts().check();
    for (const type of [...OP_TYPES, 'SignedBody'])
      expect(knownLayouts().getConstructors(type).length).toBeGreaterThan(3);
  });

  it('those of one op and type are in one file, so the order of the files has no meaning', () => {
    const files = new Map<string, string>();
    for (const { name, constructors } of FILES)
      for (const { type, tag } of constructors) {
        // Parts of bodies differ by their tag within the type.
        const key = OP_TYPES.includes(type) && tag.bits === 32 ? `${type} ${tag.value.toString(16)}` : type;
        if (OP_TYPES.includes(key)) continue;
        expect(`${key}: ${files.get(key) ?? name}`).toBe(`${key}: ${name}`);
        files.set(key, name);
      }
    expect(files.size).toBeGreaterThan(700);
  });

  it('are read once', () => {
    expect(knownLayouts()).toBe(knownLayouts());
    expect(knownBodies()).toBe(knownBodies());
  });

  it('are read in a worker thread', async () => {
    const module = new URL('../../../src/api/known-bodies.ts', import.meta.url);
    const script = `const { knownBodies } = await import(${JSON.stringify(module.href)});
      const { parentPort } = await import('node:worker_threads');
      parentPort.postMessage(knownBodies().getName(0x0f8a7ea5));`;
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
    const [name] = await once(worker, 'message');
    await worker.terminate();
    expect(name).toBe('jetton_transfer');
  });
});
