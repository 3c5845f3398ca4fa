import type { CustodyDetails, CustodyKind } from '../../../ton/contracts/custody/custody-state.ts';
import { rawAddress } from '../../query/account-id.ts';
import type { RawRow } from '../../query/scope.ts';
import { addressColumns } from '../../query/select-list.ts';
import { sql } from '../../query/sql.ts';

/** A contract in its newest visible state. Addresses are raw, hashes base64, numbers decimal text. */
export interface CustodyRow<K extends CustodyKind> {
  readonly address: string;
  readonly lt: string;
  readonly codeHash: string;
  readonly dataHash: string;
  /** The multisig of an order. */
  readonly parent: string | null;
  readonly details: CustodyDetails[K];
}

/** SELECT list of `contract_states`. */
export const CUSTODY_SELECT = sql`workchain, hex(account), toString(lt), base64Encode(code_hash), base64Encode(data_hash), ${addressColumns('parent')}, details`;

/** Reads a row of CUSTODY_SELECT. */
export function custodyRow<K extends CustodyKind>(values: RawRow): CustodyRow<K> {
  const [workchain, account, lt, codeHash, dataHash, parent, details] = values;
  return {
    address: rawAddress({ workchain: Number(workchain), hash: String(account) }),
    lt: String(lt),
    codeHash: String(codeHash),
    dataHash: String(dataHash),
    parent: parent as string | null,
    details: JSON.parse(String(details)) as CustodyDetails[K],
  };
}
