import { similarName } from '../../platform/text/similar-name.ts';
import type { Parameters } from './parameter.ts';

/** Parameters that every route accepts or ignores: keys, switches, and request ids of clients. */
const COMMON: ReadonlySet<string> = new Set([
  'api_key',
  'strict',
  'x_no_address_book',
  'x_no_metadata',
  'x_timeout',
  'x_debug_request',
  '@extra',
  '@type',
]);

/** Names that published clients and scripts send, and those that are meant, the likelier first (v3-rules.md 12). */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  account: ['owner_address', 'address'],
  account_address: ['account', 'address', 'owner_address'],
  address: ['owner_address', 'account'],
  owner: ['owner_address'],
  owner_address: ['account', 'address'],
  wallet_address: ['address', 'owner_address', 'account'],
  sort_order: ['sort'],
  order: ['sort'],
  transaction_hash: ['hash', 'tx_hash'],
  tx_hash: ['hash'],
  hash: ['tx_hash', 'msg_hash'],
  message_hash: ['msg_hash', 'hash'],
  jetton: ['jetton_address', 'jetton_master'],
  jetton_master: ['jetton_address'],
  jetton_address: ['jetton_master'],
  collection: ['collection_address'],
  start_time: ['start_utime'],
  end_time: ['end_utime'],
  from_lt: ['start_lt', 'to_lt'],
  to_lt: ['end_lt'],
  before_lt: ['end_lt', 'lt'],
  count: ['limit'],
  page_size: ['limit'],
  seqno: ['mc_seqno'],
  mc_seqno: ['seqno'],
  param: ['config_id'],
};

/** Sent names that an endpoint does not know, unchanged. Letter case is ignored. */
export function unknownNames(sent: Iterable<string>, known: readonly string[]): readonly string[] {
  const names = new Set(known.map((name) => name.toLowerCase()));
  return [...sent].filter((name) => !names.has(name.toLowerCase()) && !COMMON.has(name.toLowerCase()));
}

/** Every name that the parameters of an endpoint are taken by. */
export function getNames(parameters: Parameters): readonly string[] {
  return Object.entries(parameters).flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
}

const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 60;

/** Error text for unknown names, with similar known names. */
export function unknownText(unknown: readonly string[], known: readonly string[]): string {
  const parts = unknown.slice(0, MAX_NAMED).map((name) => {
    const meant = meantName(name.toLowerCase(), known);
    return `unknown parameter "${name.slice(0, MAX_NAME_LENGTH)}"${meant ? `, did you mean "${meant}"?` : ''}`;
  });
  return parts.join('; ');
}

function meantName(name: string, known: readonly string[]): string | null {
  const listed = Object.hasOwn(MEANT, name) ? MEANT[name]! : [];
  const meant = listed.find((one) => known.includes(one));
  if (meant) return meant;
  return similarName(name, known);
}
