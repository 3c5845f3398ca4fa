import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { CellSlice } from '../../../ton/boc/cell-slice.ts';
import { serializeCell } from '../../../ton/boc/serialize.ts';
import { CellBuilder } from '../../../ton/build/cell-builder.ts';
import { writeBag } from '../../../ton/build/write-bag.ts';
import { fromBase64, toBase64 } from '../../../ton/hash/base64.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import { loadBlock } from '../../../ton/tlb/block.ts';
import { loadBlockExtra } from '../../../ton/tlb/block-extra.ts';
import { loadMcBlockExtra } from '../../../ton/tlb/mc-block-extra.ts';
import { loadWholeCell } from '../../../ton/tlb/whole-cell.ts';
import type { ChainView } from '../chain-port.ts';
import { HttpError } from '../http/http-error.ts';
import { cachesOf } from '../read/answer-caches.ts';
import { isVisible, readMasterchainBlock } from '../read/read-blocks.ts';
import { blockIdText, readRawBlocks } from '../read/read-raw-blocks.ts';
import type { ReadScope } from '../read/read-scope.ts';
import { accountParameters, IS_ACCOUNT } from '../v2/read/account-key.ts';
import { readAccountState } from '../v2/read/account-state.ts';
import { notHeld } from './need-chain.ts';
import { wholeAccount } from './whole-account.ts';

const MASTERCHAIN = { workchain: -1, shard: 0x8000000000000000n };
/** States of an account that are looked into for what its block left out. */
const MOST_STATES = 1_000;

/**
 * A masterchain block's view from the store. What contracts see of earlier blocks and of libraries is not stored.
 * `newest`: of the chain itself, if it is there: its configuration may be the one of this block.
 *
 * @throws HttpError a part of it is not held
 */
export async function readStoredView(
  scope: ReadScope,
  address: AccountAddress | null,
  mcSeqno: number,
  newest: ChainView | null,
): Promise<ChainView> {
  const block = await readMasterchainBlock(scope, mcSeqno);
  if (!block) throw notHeld(`masterchain block ${mcSeqno} is not indexed`);
  const keySeqno = block.key_block ? mcSeqno : block.prev_key_block_seqno;
  const [config, shardAccount] = await Promise.all([
    newest?.keySeqno === keySeqno ? newest.config : readConfig(scope, keySeqno),
    address && readStoredAccount(scope, address, mcSeqno),
  ]);
  return {
    block: {
      seqno: mcSeqno,
      rootHash: fromBase64(block.root_hash)!,
      fileHash: fromBase64(block.file_hash)!,
    },
    utime: block.gen_utime,
    config,
    keySeqno,
    libraries: newest?.libraries ?? null,
    prevBlocks: null,
    shardAccount,
  };
}

/** The configuration's dictionary from the key block that it came with. */
async function readConfig(scope: ReadScope, keySeqno: number): Promise<string> {
  const { configs } = cachesOf(scope.context, scope.database);
  const known = configs.get(`${keySeqno}`);
  if (known !== undefined) return known;
  const id = { mcSeqno: keySeqno, ...MASTERCHAIN, seqno: keySeqno };
  const blocks = isVisible(scope, keySeqno) ? await readRawBlocks(scope, [id]) : null;
  const bytes = blocks?.get(blockIdText(id));
  if (!bytes) throw notHeld(`the configuration is in masterchain block ${keySeqno}, which is not indexed`);
  const config = toBase64(configOfBlock(bytes));
  configs.set(`${keySeqno}`, config);
  return config;
}

/** The dictionary of a key block. */
function configOfBlock(bytes: Uint8Array): Uint8Array {
  const boc = parseBoc(bytes);
  const { extra } = loadWholeCell(boc, onlyRoot(boc), 'Block', loadBlock);
  const { custom } = loadWholeCell(boc, extra, 'BlockExtra', loadBlockExtra);
  const slice = new CellSlice(boc, custom);
  if (!loadMcBlockExtra(slice).config) throw notHeld('the masterchain block has no configuration');
  // Its dictionary is the last reference of the cell.
  return serializeCell(boc, boc.refs[custom * 4 + slice.refPosition - 1]!);
}

/** The ShardAccount; null for an account that did not exist. @throws HttpError it is not held whole */
async function readStoredAccount(
  scope: ReadScope,
  address: AccountAddress,
  mcSeqno: number,
): Promise<string | null> {
  const account = { workchain: address.workchain, hash: address.address, form: 'raw' as const };
  const state = await readAccountState(scope, account, mcSeqno);
  if (state.status === 'nonexist') return null;
  const params = { ...accountParameters(account), lt: state.lt, hash: state.hash };
  const cells = `SELECT base64Encode(boc) FROM ${scope.database}.account_cells WHERE ${IS_ACCOUNT}`;
  const read = async (sql: string) =>
    (await scope.query({ sql, params })).map(([boc]) => fromBase64(String(boc))!);
  const own = await read(`${cells} AND lt = {lt:UInt64} AND hash = base64Decode({hash:String}) LIMIT 1`);
  let cell = wholeAccount(own);
  if (cell === null && own.length > 0) {
    const earlier = `${cells} AND lt <= {lt:UInt64} ORDER BY lt`;
    const others = await read(
      `SELECT * FROM (${earlier} LIMIT 1) UNION ALL SELECT * FROM (${earlier} DESC LIMIT ${MOST_STATES})`,
    );
    cell = wholeAccount([...own, ...others]);
  }
  if (cell === null) throw new HttpError(500, 'LITE_SERVER_NOTREADY: the account is not stored whole');
  const builder = new CellBuilder().ref(cell).bytes(fromBase64(state.last_trans_hash)!);
  return toBase64(writeBag(builder.u64(BigInt(state.lt)).cell(), { index: false }));
}
