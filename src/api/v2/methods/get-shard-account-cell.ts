import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { readStoredAccount } from '../../chain/stored-account.ts';
import { TVM_CELL } from '../format/chain-schemas.ts';
import { STATE_SEQNO } from '../parameters/block-parameters.ts';
import { ACCOUNT } from '../parameters/history-parameters.ts';
import { stateSeqno } from '../read/block.ts';
import { chainAddress } from './message-parts.ts';
import { defineMethod, requireScope } from './method.ts';

/** The ShardAccount of an account: its cell, and the hash and lt of its last transaction. */
export const getShardAccountCell = defineMethod({
  name: 'getShardAccountCell',
  group: 'accounts',
  reads: ['base'],
  summary: 'State of an account as its ShardAccount cell',
  parameters: { address: ACCOUNT, seqno: STATE_SEQNO },
  result: TVM_CELL,
  async answer(request, { address: given, seqno }) {
    const scope = requireScope(request);
    const address = chainAddress(given);
    const at = stateSeqno(scope, seqno);
    const own = await request.context.chain?.states?.view(address, at);
    const bytes = own ? own.shardAccount : await readStoredAccount(scope, address, at);
    return { '@type': 'tvm.cell', bytes: bytes ?? emptyAccount() };
  },
});

// account_none$0 = Account;
// account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
function emptyAccount(): string {
  const none = new CellBuilder().bit(false).cell();
  const cell = new CellBuilder().ref(none).bytes(new Uint8Array(32)).u64(0n).cell();
  return toBase64(writeBag(cell, { index: false }));
}
