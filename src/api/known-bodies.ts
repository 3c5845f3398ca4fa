import { readdirSync, readFileSync } from 'node:fs';
import { BodyDecoder } from '../ton/bodies/body-decoder.ts';
import { bodyLayouts } from '../ton/bodies/body-layouts.ts';
import { Schema } from '../ton/schema/schema.ts';

const FOLDER = new URL('../ton/bodies/layouts/', import.meta.url);

let schema: Schema | null = null;
let bodies: BodyDecoder | null = null;

/** The layouts that come with the product (decoded-bodies.md): all `.tlb` files of a folder. They are read once. */
export function knownLayouts(): Schema {
  schema ??= new Schema(readLayouts(), 'layouts');
  return schema;
}

/** The decoder of the layouts that come with the product. */
export function knownBodies(): BodyDecoder {
  bodies ??= new BodyDecoder(bodyLayouts(knownLayouts()));
  return bodies;
}

/** The order of the files has no meaning: layouts of one op and type are in one file, in the order of trials. */
function readLayouts(): string {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.tlb'));
  return files.map((name) => readFileSync(new URL(name, FOLDER), 'utf8')).join('\n');
}
