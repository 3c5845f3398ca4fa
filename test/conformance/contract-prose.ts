import { type ContractField, contractText } from './contract-tables.ts';

/* Reads the models of v3-models.md from sentences, and from tables without a column of presence. */

/** The start of a model's fields, and their end. */
const SENTENCES: Readonly<Record<string, readonly [start: string, end?: string | RegExp]>> = {
  BlockId: ['**BlockId**: '],
  MessageContent: ['**MessageContent**: ', ' In `init_state`'],
  TraceNode: ['**TraceNode**: '],
  AccountBalance: ['### 8.3 AccountBalance: '],
  JettonMaster: ['**JettonMaster**: '],
  JettonWallet: ['**JettonWallet**: '],
  JettonBurn: ['**JettonBurn**: '],
  NFTCollection: ['**NFTCollection**: '],
  NFTTransfer: ['**NFTTransfer**: '],
  NFTSale: ['**NFTSale**: '],
  DNSRecord: ['**DNSRecord**: '],
  Vesting: ['**Vesting**: '],
  Multisig: ['**Multisig**: '],
  V2AddressInformation: ['**V2AddressInformation**: '],
  V2WalletInformation: ['**V2WalletInformation**: '],
  SentMessage: ['**POST /message** answer: '],
  EstimatedFees: ['ignore_chksig bool (optional). Answer: ', '; Fee ='],
  Fee: ['Fee = ', '\n'],
  RunGetMethod: ['(base64 BOC). Answer: ', ' of `{type'],
  BalanceChanges: ['**BalanceChanges** (not in the spec): '],
  storage_ph: ['| storage_ph | object | opt: ', ' |'],
  credit_ph: ['| credit_ph | object | opt: ', ' |'],
  split_info: ['| split_info | object | opt: ', ' |'],
  trace_info: ['| trace_info | object | always | ', ' |'],
};

/** Tables whose rows are models without only the words `always`, `null` and `opt`. */
const PHASES = ['compute_ph', 'action', 'bounce'];

/** Fields of all these models. */
export function proseFields(): readonly ContractField[] {
  const text = contractText('v3-models.md');
  return [
    ...Object.entries(SENTENCES).flatMap(([model, [start, end = /\.\s/]]) =>
      fieldsIn(model, between(text, start, end)),
    ),
    ...PHASES.flatMap((model) => rowsOf(model, between(text, `| ${model} | Type | Presence |\n`, '\n\n'))),
    ...rowsOf('Block', between(text, '**Block** (all always unless noted)\n\n', '\n\n')),
  ];
}

/** Keys that answers of a path have (section 2). */
export function wrapperKeys(): readonly (readonly [path: string, keys: readonly string[]])[] {
  const table = between(contractText('v3-models.md'), '## 2. Response wrappers', '## 3.');
  return table.split('\n').flatMap((line) => {
    const [names = '', keys = ''] = cells(line);
    const groups = names.split(' / ').map(pathsOf);
    const lists = namesIn(keys).filter((key) => !SHARED.includes(key));
    const shared = namesIn(keys).filter((key) => SHARED.includes(key));
    if (lists.length === 0) return [];
    // Several lists: one for each path, or for each group of them.
    const paths = groups.flat();
    const ofGroup = groups.flatMap((group, i) => group.map(() => lists[i]!));
    const own = groups.length > 1 ? ofGroup : paths.length === lists.length ? lists : null;
    return paths.map((path, i) => [path, [...(own ? [own[i]!] : lists), ...shared]] as const);
  });
}

const SHARED = ['address_book', 'metadata'];

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
}

/** `jetton/masters, wallets` are two paths of one folder. */
function pathsOf(names: string): readonly string[] {
  let folder = '';
  return names.split(', ').map((name) => {
    const cut = name.indexOf('/');
    if (cut >= 0) folder = name.slice(0, cut + 1);
    return `/${cut >= 0 ? name : folder + name}`;
  });
}

function between(text: string, start: string, end: string | RegExp): string {
  const from = text.indexOf(start);
  if (from < 0) throw new Error(`v3-models.md has no ${start}`);
  const rest = text.slice(from + start.length);
  const to = rest.search(typeof end === 'string' ? RegExp.escape(end) : end);
  return to < 0 ? rest : rest.slice(0, to);
}

function cells(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Rows of a table: `present` or no presence means always there; conditional ones are absent otherwise. */
function rowsOf(model: string, table: string): readonly ContractField[] {
  return table.split('\n').flatMap((line) => {
    const [names = '', type = '', rule = ''] = cells(line);
    if (!/^\w/.test(names) || names === 'Field') return [];
    const isOptional = /^(opt|only when)/.test(rule);
    const presence = isOptional ? 'opt' : type.includes('null when') ? 'null' : 'always';
    return names.split(', ').map((name) => ({ model, name, type: typeIn(type) ?? 'object', presence }));
  });
}

const TYPE = /\b(string|number|bool|hash|address|base64|hex|object|array|NFTItem|Fee)(?:e?s)?\b/;

function typeIn(text: string): string | null {
  return text.includes('{') ? 'object' : (TYPE.exec(text.replaceAll('*', ''))?.[1] ?? null);
}

/** Names before one type share it and its presence; `opt:` applies to the names after it. */
function fieldsIn(model: string, sentence: string): readonly ContractField[] {
  const isEachOptional = sentence.endsWith('each opt');
  const plain = sentence
    .replace(', each opt', '')
    .replace(/`\{[^`]*\}`/g, 'object')
    .replace(
      /`(\w+)` \(((?:hash|base64|object|array)[^)]*)\)/g,
      (_all, name, rule) => `${name} ${rule.replaceAll(',', '')}`,
    )
    .replaceAll('`', '')
    .replace(/\([^)]*\)/g, (all) =>
      all === '(addresses)' ? ' addresses' : all.includes('null when') ? ' null' : '',
    );
  return plain.split(';').flatMap((group) => {
    const isAllOptional = isEachOptional || group.trim().startsWith('opt:');
    const parts = group.replace(/^\s*opt:/, '').split(',');
    const fields: ContractField[] = [];
    let waiting: string[] = [];
    for (const [i, part] of parts.entries()) {
      const [name = '', ...rest] = part.replaceAll(':', ' ').trim().split(/\s+/);
      const rule = rest.join(' ');
      const isLast = i === parts.length - 1;
      waiting.push(name);
      const type = typeIn(rule) ?? (isLast ? (TYPE.exec(name.replaceAll('_', ' '))?.[1] ?? 'object') : null);
      // A sentence of only names ends with the type of all.
      if (type === null) continue;
      const names = name === 'all' ? waiting.slice(0, -1) : waiting;
      const presence =
        isAllOptional || /\bopt\b/.test(rule) ? 'opt' : /\bnull\b/.test(rule) ? 'null' : 'always';
      fields.push(...names.map((one) => ({ model, name: one, type, presence }) as const));
      waiting = [];
    }
    return fields;
  });
}
