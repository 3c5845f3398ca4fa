import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PlaceForm } from '../../src/api/query/cursor.ts';

const API = resolve(import.meta.dirname, '../../src/api');

/** The forms of the places of all lists: every exported one of the rooms of entities, and those of v3. */
export async function findPlaceForms(): Promise<readonly PlaceForm<unknown>[]> {
  const rooms = readdirSync(join(API, 'entities'), { recursive: true, encoding: 'utf8' });
  const files = [...rooms.map((file) => join(API, 'entities', file)), join(API, 'v3/places.ts')];
  const modules = await Promise.all(
    files.filter((file) => file.endsWith('.ts')).map((file) => import(pathToFileURL(file).href)),
  );
  const forms = modules.flatMap((module) => Object.values(module as object)).flatMap(toForms);
  return [...new Set(forms)];
}

function toForms(value: unknown): PlaceForm<unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value)].filter(isForm);
}

function isForm(value: unknown): value is PlaceForm<unknown> {
  return typeof value === 'object' && value !== null && 'list' in value && 'shape' in value;
}
