import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/* Reads the tables of docs/contract. */

const FOLDER = resolve(import.meta.dirname, '../../docs/contract');

/** The text of a page of the contract. */
export function contractText(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

/** Forms of values that the tables name. */
export type ValueType =
  | 'addr'
  | 'addr|null'
  | 'hash'
  | 'shard'
  | 'opcode'
  | 'utime'
  | 'lt'
  | 'i32'
  | 'bool'
  | 'str';

/** One parameter of one path, as a table has it. */
export interface ContractParameter {
  readonly path: string;
  readonly name: string;
  readonly type: ValueType;
  readonly isList: boolean;
  /** The rest of the row. */
  readonly rule: string;
}

/** One path of v3: its section's text, parameters and groups. */
export interface ContractEndpoint {
  readonly paths: readonly string[];
  readonly text: string;
  readonly parameters: readonly ContractParameter[];
  readonly groups: ReadonlySet<'P' | 'S' | 'U' | 'L'>;
}

const TYPES = 'addr\\|null|addr|hash|shard|opcode|utime|lt|i32|bool|str';
/** Parameters of each group. */
const OF_GROUPS: Readonly<Record<'U' | 'L', readonly (readonly [string, ValueType])[]>> = {
  U: [
    ['start_utime', 'utime'],
    ['end_utime', 'utime'],
  ],
  L: [
    ['start_lt', 'lt'],
    ['end_lt', 'lt'],
  ],
};

/** Sections `### N.M` whose title names GET paths. */
export function contractEndpoints(): readonly ContractEndpoint[] {
  const sections = contractText('v3-endpoints.md').split(/^### /m).slice(1);
  return sections.flatMap((section) => {
    const [title = '', ...lines] = section.split('\n');
    const paths = [...title.matchAll(/`(\/[\w/]+)`/g)].map(([, path]) => path!);
    if (paths.length === 0) return [];
    const text = lines.join('\n').split(/^(?:---|## )/m)[0]!;
    const named = [...rowsOf(text), ...inlineOf(text)];
    const groups = new Set(
      [...text.matchAll(/\*\*([PSUL])\*\*/g)].map(([, one]) => one as 'P' | 'S' | 'U' | 'L'),
    );
    const ofGroups = (['U', 'L'] as const)
      .filter((group) => groups.has(group))
      .flatMap((group) => OF_GROUPS[group])
      .map(([name, type]) => ({ name, type, isList: false, rule: '' }));
    const parameters = paths.flatMap((path) => [...named, ...ofGroups].map((one) => ({ path, ...one })));
    return [{ paths, text, parameters, groups }];
  });
}

/** Values that a list of a path may have (errors-and-limits.md 5.1). */
export function mostValues(path: string): number {
  const row = /^\| lists of values \| at most 1000 .* 1024 for ([\w, ]+) \|$/m;
  const longer = row.exec(contractText('errors-and-limits.md'))![1]!.split(', ');
  return longer.some((part) => path.includes(part)) ? 1_024 : 1_000;
}

/** Rows that a page of a path may have (errors-and-limits.md 6: the larger of two maxima counts). */
export function mostRows(path: string): number {
  const row = /^\| \d+ \| maxima of ([\w ]+) \| .* \| accept 1024 on both \|$/m;
  const longer = row.exec(contractText('errors-and-limits.md'))![1]!.split(' and ');
  return longer.some((part) => path.includes(part)) ? 1_024 : 1_000;
}

type Named = Omit<ContractParameter, 'path'>;

/** Rows of a table whose first column names parameters and whose second one begins with a type. */
function rowsOf(text: string): readonly Named[] {
  return text.split('\n').flatMap((line) => {
    const [names = '', kind = '', ...rest] = cellsOf(line);
    const type = new RegExp(`^(${TYPES})\\b`).exec(kind.replaceAll('\\|', '|'))?.[1] as ValueType | undefined;
    // A first column of more than names is a condition.
    if (type === undefined || !/^`\w+`(?:, `\w+`)*$/.test(names)) return [];
    const isList = kind.includes('multi') || kind.includes('list accepted');
    return [...names.matchAll(/`(\w+)`/g)].map(([, name]) => ({
      name: name!,
      type,
      isList,
      rule: rest.join(' '),
    }));
  });
}

/** Parameters named in a section's text, with their type after them. */
function inlineOf(text: string): readonly Named[] {
  const prose = text
    .split('\n')
    .filter((line) => !line.startsWith('|'))
    .join('\n');
  const pattern = new RegExp(`\`(\\w+)\`(?: \\(|: )(${TYPES}) (one|multi)`, 'g');
  return [...prose.matchAll(pattern)].map(([, name, type, mark]) => ({
    name: name!,
    type: type as ValueType,
    isList: mark === 'multi',
    rule: prose,
  }));
}

/** A field of a model in answers. */
export interface ContractField {
  readonly model: string;
  readonly name: string;
  readonly type: string;
  readonly presence: 'always' | 'null' | 'opt';
}

/** Fields of the models that have tables with a column of presence. */
export function contractFields(): readonly ContractField[] {
  const fields: ContractField[] = [];
  let model = '';
  for (const line of contractText('v3-models.md').split('\n')) {
    const title = /^\*\*(\w+)\*\*/.exec(line)?.[1] ?? /^### \d+\.\d+ (\w+)/.exec(line)?.[1];
    if (title !== undefined) model = title;
    const cells = cellsOf(line);
    const [first = '', type = '', presence = ''] = cells;
    if (type === 'Type') {
      if (!/^(Field|action|Message field)$/.test(first) && presence === 'Presence') model = first;
      else if (first === 'action') model = 'action';
      else if (first === 'Message field') model = 'Message';
      continue;
    }
    const word = /^(always|null|opt)\b/.exec(presence)?.[1];
    if (cells.length < 3 || word === undefined) continue;
    for (const name of first.split(', '))
      if (/^\w+$/.test(name)) fields.push({ model, name, type, presence: word as ContractField['presence'] });
  }
  return fields;
}

/** Cells of a row of a table; none of any other line. */
export function cellsOf(line: string): readonly string[] {
  if (!line.startsWith('|')) return [];
  return line
    .replaceAll('\\|', '\u0000')
    .replaceAll(/`[^`]*`/g, (code) => code.replaceAll('|', '\u0000'))
    .replaceAll('addr|null', 'addr\u0000null')
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll('\u0000', '|').trim());
}

/** A bound of a parameter of v2: values that are taken, and values beyond it. */
export interface MethodBound {
  readonly parameter: string;
  readonly inside: readonly string[];
  readonly outside: readonly string[];
}

/** A method of v2 as the table of all methods has it. */
export interface ContractMethod {
  readonly name: string;
  readonly isPostOnly: boolean;
  readonly required: readonly string[];
  /** Parameters of which exactly one is sent; none if there are no such. */
  readonly oneOf: readonly string[];
  readonly bounds: readonly MethodBound[];
  /** Parameters that must accompany a parameter. */
  readonly partners: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const HASH = 'a1'.repeat(32);

/** The table of v2-endpoints.md 6. */
export function contractMethods(): readonly ContractMethod[] {
  const section =
    contractText('v2-endpoints.md')
      .split(/^## 6\. /m)[1]
      ?.split(/^## 7\. /m)[0] ?? '';
  let last = '';
  return section.split('\n').flatMap((line) => {
    const [names = '', verb = '', found = ''] = cellsOf(line);
    if (verb !== 'G' && verb !== 'P') return [];
    const parameters = found.startsWith('same') ? last : found;
    last = parameters;
    const all = names.replace(/\(C.*?\)|\(P\)|\(same\)/g, '').split(/;| and |, /);
    return all
      .flatMap((part) => /(\w+)\s*$/.exec(part.trim())?.[1] ?? [])
      .map((name) => methodOf(name, verb === 'P', parameters));
  });
}

function methodOf(name: string, isPostOnly: boolean, parameters: string): ContractMethod {
  const bold = [...parameters.matchAll(/\*\*(\w+)\*\*/g)].map(([, one]) => one!);
  const [, listed = ''] = /exactly one of (.*)/.exec(parameters) ?? [];
  const isEither = parameters.includes('** or **');
  const oneOf = isEither ? bold : [...listed.matchAll(/(\w+) [>≥]/g)].map(([, one]) => one!);
  return {
    name,
    isPostOnly,
    required: isEither ? [] : bold,
    oneOf,
    bounds: boundsIn(parameters),
    partners: {
      after_lt: { after_hash: HASH },
      lt: parameters.includes('lt ≥ 0 with hash') ? { hash: HASH } : {},
    },
  };
}

const LARGEST = String(2 ** 31 - 1);

function boundsIn(parameters: string): readonly MethodBound[] {
  const found: MethodBound[] = [];
  for (const [, name, sign] of parameters.replaceAll('*', '').matchAll(/(\w+) ([>≥]) 0/g))
    found.push({
      parameter: name!,
      inside: [...(sign === '≥' ? ['0'] : []), '1', LARGEST],
      outside: [...(sign === '>' ? ['0'] : []), '-1', 'x'],
    });
  for (const [, name, least, most] of parameters.matchAll(/(\w+) \d+, (\d+)\.\.(\d+)/g))
    found.push({
      parameter: name!,
      inside: [least!, most!],
      outside: [String(Number(least) - 1), String(Number(most) + 1), 'x'],
    });
  return found;
}
