import type { RowStart } from '../../engine/projection/row-maker.ts';
import type { TokenKind } from '../../ton/contracts/token-state.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { accountIds } from '../records/account-ids.ts';
import type { TokenRow } from './token-row.ts';

/** Keys of one statement: its text stays below the server's `max_query_size`. */
const KEYS = 2_000;

type Value = string | number | boolean;

/** Tokens among accounts (`workchain:hex`), after the masterchain step `upTo`: the last row of each account, or of each kind. */
export async function loadTokens(
  { client, database, partition }: RowStart,
  accounts: readonly string[],
  { upTo, by }: { readonly upTo: number; readonly by: 'account' | 'account, kind' },
): Promise<TokenRow[]> {
  const found: TokenRow[] = [];
  for (let at = 0; at < accounts.length; at += KEYS) {
    const ids = accountIds(accounts.slice(at, at + KEYS));
    const { rows } = await client.queryRows<Value[]>(
      `SELECT mc_seqno, workchain, hex(account), toString(lt), toString(kind), is_gone, hex(code_hash), hex(data_hash),
         toString(amount), flag, has_owner, owner_workchain, hex(owner), has_parent, parent_workchain, hex(parent),
         hex(child_code), hex(content_hash), content, link, since
       FROM ${database}.token_states
       WHERE part = {partition:UInt16} AND mc_seqno <= {upTo:UInt32} AND account IN ${ids}
       ORDER BY lt DESC, is_gone LIMIT 1 BY workchain, ${by}`,
      { route: 'contracts/tokens', params: { partition, upTo }, maxRows: 1_000_000 },
    );
    found.push(...rows.map(toRow));
  }
  return found;
}

const bytes = (value: Value | undefined): Buffer => Buffer.from(String(value), 'hex');

function toAccount(workchain: Value | undefined, hash: Value | undefined): AccountAddress {
  return { workchain: Number(workchain), address: bytes(hash) };
}

function toRow(values: Value[]): TokenRow {
  const [position, workchain, account, lt, kind, isGone, code, data, amount, flag, ...more] = values;
  const [
    hasOwner,
    ownerChain,
    owner,
    hasParent,
    parentChain,
    parent,
    childCode,
    contentHash,
    content,
    link,
    since,
  ] = more;
  const hash = bytes(contentHash);
  return {
    position: Number(position),
    account: toAccount(workchain, account),
    lt: BigInt(lt as string),
    kind: kind as TokenKind,
    since: Number(since),
    isGone: isGone === true,
    codeHash: bytes(code),
    dataHash: bytes(data),
    amount: BigInt(amount as string),
    flag: flag === true,
    owner: hasOwner === true ? toAccount(ownerChain, owner) : null,
    parent: hasParent === true ? toAccount(parentChain, parent) : null,
    childCode: bytes(childCode),
    content: hash.every((byte) => byte === 0)
      ? null
      : { hash, json: content === '' ? null : String(content) },
    link: String(link),
  };
}
