import { between, type LooseField, looseType } from './contract-more.ts';
import { cellsOf, contractText } from './contract-tables.ts';

/* Reads the objects of v2-endpoints.md: fields by `@type`, as tables and sentences have them. */

/** Fields of a list after `@type`, separated by semicolons; braces and brackets contain others. */
export function v2Fields(): readonly LooseField[] {
  const text = contractText('v2-endpoints.md');
  return [
    ...sharedObjects(between(text, '## 5. Shared objects', 'Values of a transaction')),
    ...tableBelow('raw.fullAccountState', between(text, '### getAddressInformation', 'getAddressBalance:')),
    ...tableBelow('ext.accounts.walletInformation', between(text, '## 8. getWalletInformation', 'P adds')),
    ...tokenData(between(text, '| contract_type (@type) |', '\n\n')),
    ...written(`@type blocks.header; ${between(text, '→ @type blocks.header; ', '. P also')}`),
    ...written(
      `@type blocks.transactions; ${between(text, '→ blocks.transactions\n\n@type; ', '.\nOrder').replace('[blocks.shortTxId: @type', '[{@type blocks.shortTxId').replace(/\]$/, '}]')}`,
    ),
    ...objectsIn(between(text, '## 15. Config', '\n## ')),
    ...['## 10. Blocks', '## 14. Sending', '## 16. Utilities'].flatMap((title) =>
      rowsIn(between(text, title, '\n## ')),
    ),
  ];
}

/** `name | fields, in order`; `raw.message` is the one before in the words of others. */
function sharedObjects(section: string): readonly LooseField[] {
  const found = new Map<string, readonly LooseField[]>();
  for (const line of section.split('\n')) {
    const [names = '', list = ''] = cellsOf(line);
    const name = /^block id/.test(names) ? 'ton.blockIdExt' : names.split(/[ ,(]/)[0]!;
    if (!/\w\.?\w/.test(name) || name === 'Object' || list.startsWith('-')) continue;
    const [, base = ''] = /^(?:as )?(raw\.\w+) (?:plus|with)/.exec(list) ?? [];
    const own = fieldsOf(name, list.replace(/^.*?plus /, '').replace(/^@type; /, ''));
    const inherited = (found.get(base) ?? []).map((field) => ({ ...field, model: name }));
    // Source and destination of ext.message are texts, as the sentence states.
    const changed = inherited.map((field) =>
      list.includes('plain strings') && /^(source|destination)$/.test(field.name)
        ? { ...field, type: 'string' as const }
        : field,
    );
    found.set(name, [...changed, ...own]);
  }
  return [...found.values()].flat();
}

/** Rows `Field | Type | When` below a heading. */
function tableBelow(model: string, section: string): readonly LooseField[] {
  return section.split('\n').flatMap((line) => {
    const [names = '', second = '', when = ''] = cellsOf(line);
    if (!/^[a-z]/.test(names)) return [];
    const presence = /^(wallets only|v[35]|v5)/.test(when) ? ('opt' as const) : ('always' as const);
    return names.split(', ').map((name) => ({
      model,
      name,
      type: second.includes(' or ') ? ('string' as const) : typeIn(second),
      presence,
    }));
  });
}

function tokenData(section: string): readonly LooseField[] {
  return section.split('\n').flatMap((line) => {
    const [names = '', list = ''] = cellsOf(line);
    const model = /\((ext\.tokens\.\w+)\)/.exec(names)?.[1];
    return model === undefined ? [] : fieldsOf(model, list);
  });
}

/** Cells of tables that begin with `@type NAME`. */
function rowsIn(section: string): readonly LooseField[] {
  return section.split('\n').flatMap((line) => cellsOf(line).slice(1).flatMap(written));
}

/** Objects in braces within sentences, two levels of them. */
function objectsIn(text: string): readonly LooseField[] {
  return [...text.matchAll(/\{@type (?:[^{}]|\{[^{}]*\})*\}/g)].flatMap(([all]) => written(all.slice(1, -1)));
}

/** Objects in `@type NAME; field type; …`, those in braces inside it too. */
function written(text: string): readonly LooseField[] {
  const plain = text.replaceAll('(P none)', '');
  const nested = [...plain.matchAll(/\{@type ([^{}]*)\}/g)].flatMap(([, inner]) => written(`@type ${inner}`));
  const outer = plain.replace(/\{[^{}]*\}/g, '{}');
  const [, model, list] = /^\{?@type (\w[\w.]*);? ?(.*)$/s.exec(outer.trim()) ?? [];
  return model === undefined ? nested : [...fieldsOf(model, list!), ...nested];
}

function fieldsOf(model: string, list: string): readonly LooseField[] {
  const groups = list.replace(/\([^)]*\)/g, (all) => all.replaceAll(/[;,]/g, ' ')).split(';');
  return groups.flatMap((group) => {
    const [, name, rest = ''] = /^(\w+)\b(.*)$/.exec(group.trim().replace(/, .*$/, '')) ?? [];
    if (name === undefined) return [];
    const isOptional = /absent|only|optional/.test(rest) || /, only if/.test(group);
    return [{ model, name, type: typeIn(rest), presence: isOptional ? 'opt' : 'always' } as const];
  });
}

function typeIn(text: string): LooseField['type'] {
  const word = text.trim();
  if (/^\[/.test(word)) return 'array';
  if (/^(accountAddress|ext\.message|block id|internal\.|\{)/.test(word)) return 'object';
  return looseType(word);
}
