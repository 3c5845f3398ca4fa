import { openBag } from '../../ton/boc/open-bag.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { ReadScope } from '../query/scope.ts';
import { identifier, sql, u32 } from '../query/sql.ts';

/** Address of the elector of every known network; parameter 1 of the configuration names it. */
const USUAL: AccountAddress = { workchain: -1, address: new Uint8Array(32).fill(0x33) };

/** The elector after a masterchain block, the newest one by default: as the last key block until then names it. One query. */
export async function readElectorAddress(
  scope: Pick<ReadScope, 'databases' | 'visible' | 'query'>,
  mcSeqno = scope.visible.last,
): Promise<AccountAddress> {
  const [row] = await scope.query(
    sql`SELECT base64Encode(boc) FROM ${identifier(scope.databases.base, 'config_params')} WHERE param = 1 AND mc_seqno <= ${u32(mcSeqno)} ORDER BY mc_seqno DESC LIMIT 1`,
  );
  if (!row) return USUAL;
  return { workchain: -1, address: openBag(fromBase64(String(row[0]))!).bytes(32) };
}
