import { UNNAMED_ADDRESSES } from '../../ton/contracts/read-fields.ts';
import { rawAddress } from './account-id.ts';
import type { RawRow } from './read-scope.ts';
import { addressColumns } from './token-row.ts';

export type TransferKind = 'jetton_transfer' | 'jetton_burn' | 'nft_transfer';

/** A received message that moves a token. Addresses are raw, hashes and bags base64, numbers decimal text. */
export interface TransferRow {
  /** Wallet or item. */
  readonly address: string;
  readonly lt: string;
  /** The masterchain step that has it. */
  readonly mcSeqno: number;
  readonly hash: string;
  readonly now: number;
  readonly aborted: boolean;
  /** Master or collection. */
  readonly parent: string | null;
  /** Code that the master or collection must name. */
  readonly childCode: string;
  readonly queryId: string;
  readonly amount: string;
  readonly source: string | null;
  /** For an address that names no account, its form: `addr_extern` or `addr_var`. */
  readonly destination: string | null;
  /** As `destination`. */
  readonly response: string | null;
  readonly forwardAmount: string;
  readonly customPayload: string | null;
  readonly forwardPayload: string | null;
}

/** An address that may name no account: the number of its form stands for the workchain then, 0 for none. */
function namedColumns(name: string): string {
  const forms = UNNAMED_ADDRESSES.map((form, i) => `${name}_workchain = ${i + 1}, '${form}'`);
  return `multiIf(has_${name}, concat(toString(${name}_workchain), ':', hex(${name})), ${forms.join(', ')}, NULL)`;
}

/** SELECT list of `token_transfers`. */
export const TRANSFER_SELECT = [
  'workchain',
  'hex(account)',
  'toString(lt)',
  'base64Encode(hash)',
  'now',
  'aborted',
  addressColumns('parent'),
  'toString(query_id)',
  'toString(amount)',
  addressColumns('source'),
  namedColumns('destination'),
  namedColumns('response'),
  'toString(forward_amount)',
  'base64Encode(custom_payload)',
  'base64Encode(forward_payload)',
  'mc_seqno',
  'base64Encode(child_code)',
].join(', ');

/** Reads a row of TRANSFER_SELECT. */
export function transferRow(values: RawRow): TransferRow {
  const [workchain, account, lt, hash, now, aborted, parent, queryId, amount, ...rest] = values;
  const [source, destination, response, forwardAmount, customPayload, forwardPayload, mcSeqno, childCode] =
    rest;
  return {
    address: rawAddress({ workchain: Number(workchain), hash: String(account) }),
    lt: String(lt),
    mcSeqno: Number(mcSeqno),
    hash: String(hash),
    now: Number(now),
    aborted: aborted === true,
    parent: parent as string | null,
    childCode: String(childCode),
    queryId: String(queryId),
    amount: String(amount),
    source: source as string | null,
    destination: destination as string | null,
    response: response as string | null,
    forwardAmount: String(forwardAmount),
    customPayload: customPayload === '' ? null : String(customPayload),
    forwardPayload: forwardPayload === '' ? null : String(forwardPayload),
  };
}
