import { toBase64 } from '../../../ton/hash/base64.ts';
import { type AccountStateRow, getAccount } from '../../entities/accounts/model.ts';
import { hashOrNull, ZERO_HASH } from '../../entities/accounts/none-account.ts';
import type { CodesByHash } from '../../entities/contracts/code-facts.ts';
import { rawAddress } from '../../query/account-id.ts';
import type { AccountStateAnswer } from '../schemas/account.ts';
import { findInterfaces } from './address-book-answer.ts';

/** Code and data of a state as bags of cells; empty if incomplete. */
export interface StateCells {
  readonly code: Uint8Array;
  readonly data: Uint8Array;
}

/**
 * AccountStateFull of v3-models.md 8.1. Absent hashes are omitted. Code and data are omitted if not requested (`cells`
 * null) or absent, and null if they are incomplete. `suspended`: raw addresses.
 */
export function accountStateAnswer(
  row: AccountStateRow,
  cells: StateCells | null,
  facts: CodesByHash,
  suspended: ReadonlySet<string>,
): AccountStateAnswer {
  const address = rawAddress(getAccount(row));
  return {
    address,
    account_state_hash: row.hash,
    balance: row.balance,
    extra_currencies: row.extra,
    status: row.status,
    ...hashField('frozen_hash', row.frozen_hash),
    ...hashField('data_hash', row.data_hash),
    ...hashField('code_hash', row.code_hash),
    ...(cells ? bocField('data_boc', row.data_hash, cells.data) : {}),
    ...(cells ? bocField('code_boc', row.code_hash, cells.code) : {}),
    last_transaction_hash: hashOrNull(row.last_trans_hash),
    last_transaction_lt: row.lt,
    contract_methods: findMethods(row.code_hash, facts),
    interfaces: findInterfaces(row.code_hash, facts),
    suspended: suspended.has(address),
  };
}

/** Ids as the code has them; null for no code, and for one that no indexed block has shown. */
function findMethods(code: string, facts: CodesByHash): number[] | null {
  const methods = facts.get(code)?.methods;
  return methods ? [...methods] : null;
}

function hashField<K extends string>(name: K, hash: string): { [N in K]?: string } {
  return hash === ZERO_HASH ? {} : ({ [name]: hash } as { [N in K]?: string });
}

function bocField<K extends string>(name: K, hash: string, boc: Uint8Array): { [N in K]?: string | null } {
  if (hash === ZERO_HASH) return {};
  return { [name]: boc.length === 0 ? null : toBase64(boc) } as { [N in K]?: string | null };
}
