import type { ContractDetails, ContractKind } from '../../../ton/contracts/contract-state.ts';
import { rawAddress } from '../../query/account-id.ts';
import type { RawRow } from '../../query/scope.ts';
import { addressColumns } from '../../query/select-list.ts';
import { type Sql, sql } from '../../query/sql.ts';

/** A sale, auction or name in its newest visible state. Addresses are raw, hashes base64. */
export interface ContractRow {
  readonly address: string;
  readonly kind: ContractKind;
  readonly lt: string;
  readonly codeHash: string;
  readonly dataHash: string;
  /** Seller of an NFT, owner of a name. */
  readonly owner: string | null;
  /** The NFT that is sold, the collection of a name. */
  readonly parent: string | null;
  /** Full name; empty for none. */
  readonly domain: string;
  /** The other fields by their names in answers. */
  readonly details: ContractDetails;
}

const buildSelect = (domain: Sql) =>
  sql`workchain, hex(account), toString(kind), toString(lt), base64Encode(code_hash), base64Encode(data_hash), ${addressColumns('owner')}, ${addressColumns('parent')}, ${domain}, details`;

/** SELECT list of `contract_states`. */
export const CONTRACT_SELECT = buildSelect(sql`domain`);
/** The same of `detected_contracts`. */
export const DETECTED_SELECT = buildSelect(sql`JSONExtractString(details, 'domain') AS domain`);

/** Reads a row of CONTRACT_SELECT. */
export function contractRow(values: RawRow): ContractRow {
  const [workchain, hash, kind, lt, codeHash, dataHash, owner, parent, domain, details] = values;
  return {
    address: rawAddress({ workchain: Number(workchain), hash: String(hash) }),
    kind: kind as ContractKind,
    lt: String(lt),
    codeHash: String(codeHash),
    dataHash: String(dataHash),
    owner: owner as string | null,
    parent: parent as string | null,
    domain: String(domain),
    details: JSON.parse(String(details)) as ContractDetails,
  };
}
