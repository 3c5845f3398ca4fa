import type { TSchema } from 'typebox';
import { cellsOf, contractText } from './contract-tables.ts';

/* Reads the tables of v3-more.md, of the emulation in v3-rules.md and of streaming.md. */

/** A route of v3-more.md 1. */
export interface MoreRoute {
  readonly path: string;
  /** Names of its parameters, including groups. */
  readonly parameters: readonly string[];
  /** Rows of a page without a requested number; null: it has no such number. */
  readonly defaultLimit: number | null;
  /** Keys of the answer; empty: it has no wrapper. */
  readonly keys: readonly string[];
}

const PARTICIPANT = ['stake_holder_address', 'adnl_address', 'validator_pubkey'];
/** Words of the table that represent parameters. */
const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  U: ['start_utime', 'end_utime'],
  'the three participant filters': PARTICIPANT,
  'the three filters': PARTICIPANT,
};

/** The table of v3-more.md 1. */
export function moreRoutes(): readonly MoreRoute[] {
  const section = between(contractText('v3-more.md'), '## 1. Routes', '| Rule |');
  return section.split('\n').flatMap((line) => {
    const [name = '', required = '', optional = '', limit = '', , answer = ''] = cellsOf(line);
    const path = /^`(\/[\w/]+)`$/.exec(name)?.[1];
    if (path === undefined) return [];
    const named = `${required}, ${optional}`
      .replace(/\(.*?\)/g, '')
      .replaceAll(' or ', ', ')
      .split(',');
    return [
      {
        path,
        parameters: named
          .map((one) => one.trim())
          .filter((one) => one !== '')
          .flatMap((one) => STANDS_FOR[one] ?? [one]),
        defaultLimit: /^\d+$/.test(limit) ? Number(limit) : null,
        keys: answer.includes('no wrapper') ? [] : answer.split(',').map((key) => key.trim()),
      },
    ];
  });
}

/** A field that a table or a sentence names; unknown facts are null. */
export interface LooseField {
  readonly model: string;
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object' | null;
  readonly presence: 'always' | 'null' | 'opt';
}

const WORDS: readonly (readonly [RegExp, NonNullable<LooseField['type']>])[] = [
  [/^\**string|^address|^hex|^base64|^hash|^text/, 'string'],
  [/^number|^int/, 'number'],
  [/^bool/, 'boolean'],
  [/^array|^\[|^1 to 4 objects/, 'array'],
  [/^object|^\{|^TraceNode|^NFTItem/, 'object'],
];

/** The JSON type at the start of a text; null if it starts with none. */
export function looseType(text: string): LooseField['type'] {
  const plain = text.trim().replace(/^[*`]+/, '');
  return WORDS.find(([word]) => word.test(plain))?.[1] ?? null;
}

/** Models of v3-more.md whose fields are in tables below their name. */
export function moreFields(): readonly LooseField[] {
  const fields: LooseField[] = [];
  let model = '';
  for (const line of contractText('v3-more.md').split('\n')) {
    model = /^\*\*(\w+)\*\*/.exec(line)?.[1] ?? model;
    const cells = cellsOf(line);
    const [names = '', type = '', presence = ''] = cells;
    if (names === 'DNSAuction') model = names;
    if (line.startsWith('#')) model = '';
    if (model === '' || cells.length < 3 || !/^\w/.test(names) || type === 'Type' || type.startsWith('-'))
      continue;
    const word = /^(always|null|opt)$/.exec(presence)?.[1] as LooseField['presence'] | undefined;
    // The event tables of section 3 have no column of presence: all of it is always there.
    for (const name of names.split(', '))
      fields.push({ model, name, type: looseType(type), presence: word ?? 'always' });
  }
  return fields;
}

/** Models of v3-more.md in one sentence: names, then their type. */
const SENTENCES = [
  'NominatorPoolPosition',
  'NominatorReward',
  'NominatorPoolValidatorEvent',
  'NominatorPoolValidatorReward',
  'ValidatorElection',
  'ValidatorElectionParticipant',
  'ValidatorCycleValidator',
];

export function moreSentences(): readonly LooseField[] {
  const text = contractText('v3-more.md');
  return SENTENCES.flatMap((model) => {
    const [sentence = ''] = between(text, `**${model}**`, '\n').split(/\.(?:\s|$)/);
    const list = sentence.slice(sentence.indexOf(':') + 1).replaceAll('`', '');
    // Commas within brackets separate nothing; a semicolon ends a group of one type.
    const plain = list.replace(
      /\(([^)]*)\)/g,
      (_all, inner: string) => `(${inner.replaceAll(/[,;]/g, ' ')})`,
    );
    return plain.split(';').flatMap((group) => sentenceGroup(model, group));
  });
}

function sentenceGroup(model: string, group: string): readonly LooseField[] {
  const parts = group.split(',').map((part) => part.trim());
  // `a, b, c strings`: the last one has the type of all.
  const shared = /^\w+ (string|number|bool)s?$/.exec(parts.at(-1) ?? '')?.[1];
  const isShared =
    shared !== undefined && parts.length > 1 && parts.slice(0, -1).every((one) => /^\w+$/.test(one));
  return parts.flatMap((part) => {
    const [, name, rest = ''] = /^(\w+)\s*(.*)$/.exec(part) ?? [];
    if (name === undefined) return [];
    const type = isShared ? looseType(shared) : looseType(rest.replace(/^\(/, ''));
    const presence = /\bopt\b/.test(rest) ? 'opt' : 'always';
    return [{ model, name, type, presence } as const];
  });
}

/** Fields of the requests (v3-rules.md 1.1) and of the answer (1.2) of the emulation. */
export function emulationFields(): readonly LooseField[] {
  const text = contractText('v3-rules.md');
  const request = between(text, '### 1.1 ', 'Header `X-Actions-Version`');
  const fields: LooseField[] = [];
  let model = '';
  for (const line of request.split('\n')) {
    const [first = '', type = '', byDefault = ''] = cellsOf(line);
    if (first.startsWith('emulate')) model = first;
    for (const [, name] of first.matchAll(/`(\w+)`/g))
      fields.push({
        model,
        name: name!,
        type: looseType(type),
        presence: byDefault === 'required' ? 'always' : 'opt',
      });
  }
  const answer = between(text, '### 1.2 Answer', 'Limits:');
  for (const line of answer.split('\n')) {
    const [names = '', type = '', presence = ''] = cellsOf(line);
    if (!/^\w/.test(names) || names === 'Field') continue;
    for (const name of names.split(', '))
      fields.push({
        model: 'answer',
        name,
        type: looseType(type),
        presence: presence === 'always' ? 'always' : 'opt',
      });
  }
  return fields;
}

/** Fields of a subscription (streaming.md 2), with the types of the table; `min_finality` is defined by its values. */
export function subscriptionFields(): readonly Pick<LooseField, 'name' | 'type'>[] {
  const section = between(contractText('streaming.md'), '## 2. Subscription fields', '\n---');
  return section.split('\n').flatMap((line) => {
    const [names = '', type = ''] = cellsOf(line);
    return [...names.matchAll(/^`(\w+)`$/g)].map(([, name]) => ({
      name: name!,
      type: looseType(type) ?? 'string',
    }));
  });
}

/** Shortcuts of v3-endpoints.md 4.6, as the table has them. */
export function shortcutRows(): readonly (readonly [name: string, rule: string])[] {
  const section = between(contractText('v3-endpoints.md'), '| Shortcut | Expands to |\n', '\n---');
  return section.split('\n').flatMap((line) => {
    const [names = '', rule = ''] = cellsOf(line);
    return [...names.matchAll(/`([\w.]+)`/g)].map(([, name]) => [name!, rule] as const);
  });
}

/** A schema's form of a field; null if it has none of that name. */
export function looseShapeOf(schema: TSchema, name: string): Omit<LooseField, 'model' | 'name'> | null {
  const { properties = {}, required = [] } = schema as unknown as Structure;
  const property = properties[name];
  if (!property) return null;
  const variants = property.anyOf ?? [property];
  const plain = variants.find(({ type }) => type !== 'null');
  const type = plain?.type === 'integer' ? 'number' : (plain?.type ?? typeof plain?.const);
  const isNull = variants.some((one) => one.type === 'null');
  return {
    type: type as LooseField['type'],
    presence: !required.includes(name) ? 'opt' : isNull ? 'null' : 'always',
  };
}

/** A schema, limited to its fields. */
export interface Structure {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Structure[];
  readonly items?: Structure;
  readonly properties?: Readonly<Record<string, Structure>>;
  readonly required?: readonly string[];
}

/** The text after a start and before an end. */
export function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  if (from < 0) throw new Error(`the contract has no ${start}`);
  const to = text.indexOf(end, from + start.length);
  return text.slice(from + start.length, to < 0 ? undefined : to);
}
