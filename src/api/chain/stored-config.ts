import { LRUCache } from 'lru-cache';
import { type Boc, onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellHashes } from '../../ton/boc/cell-hashes.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { serializeCell } from '../../ton/boc/serialize.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { type Block, loadBlock } from '../../ton/tlb/block/block.ts';
import { loadBlockExtra } from '../../ton/tlb/block/block-extra.ts';
import { loadMcBlockExtra } from '../../ton/tlb/block/mc-block-extra.ts';
import { loadMcStateExtra } from '../../ton/tlb/block/mc-state-extra.ts';
import { loadShardStateUnsplit } from '../../ton/tlb/block/shard-state.ts';
import { loadMerkleUpdate } from '../../ton/tlb/merkle-update.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';
import { cellKey, readCompleteCells } from '../entities/accounts/cell-index.ts';
import { blockIdText, readRawBlocks } from '../entities/blocks/raw.ts';
import { HttpError } from '../http/errors/http-error.ts';
import { answerCache } from '../query/answer-cache.ts';
import type { ReadScope } from '../query/scope.ts';
import { isVisible } from '../query/scope.ts';
import { readShardAccount } from './account-of-view.ts';
import { configParam } from './config-param.ts';
import { notHeld } from './need-chain.ts';
import { readStoredAccount } from './stored-account.ts';

const MASTERCHAIN = { workchain: -1, shard: 0x8000000000000000n };
/** Address of the configuration contract of every known network; parameter 0 names it. */
const CONFIG_ADDRESS = { workchain: -1, address: new Uint8Array(32).fill(0x55) };

/** Base64, by the seqno of their key block; of mainnet 100 KB each. */
const getConfigs = answerCache(() => new LRUCache<string, string>({ max: 32 }));

/**
 * The configuration's dictionary (base64) in force after a masterchain block. It comes from its key block, from the data of
 * the configuration contract, or from fetched cells by the hash in the masterchain state.
 * @throws HttpError none is held
 */
export async function readStoredConfig(scope: ReadScope, keySeqno: number, mcSeqno: number): Promise<string> {
  const configs = getConfigs(scope);
  const known = configs.get(`${keySeqno}`);
  if (known !== undefined) return known;
  const config =
    (await ofKeyBlock(scope, keySeqno)) ??
    (await ofContract(scope, mcSeqno)) ??
    (await ofState(scope, mcSeqno));
  if (config === null)
    throw notHeld(`the configuration is in masterchain block ${keySeqno}, which is not indexed`);
  configs.set(`${keySeqno}`, config);
  return config;
}

async function readBlock(scope: ReadScope, seqno: number): Promise<(Block & { readonly boc: Boc }) | null> {
  if (!isVisible(seqno, scope.visible)) return null;
  const id = { mcSeqno: seqno, ...MASTERCHAIN, seqno };
  const bytes = (await readRawBlocks(scope, [id])).get(blockIdText(id));
  if (!bytes) return null;
  const boc = parseBoc(bytes);
  return { boc, ...loadWholeCell(boc, onlyRoot(boc), 'Block', loadBlock) };
}

async function ofKeyBlock(scope: ReadScope, keySeqno: number): Promise<string | null> {
  const block = await readBlock(scope, keySeqno);
  if (!block) return null;
  const { boc, extra } = block;
  const { custom } = loadWholeCell(boc, extra, 'BlockExtra', loadBlockExtra);
  const slice = new CellSlice(boc, custom);
  if (!loadMcBlockExtra(slice).config) return null;
  // The dictionary is the last reference that was read.
  return toBase64(serializeCell(boc, boc.refs[custom * 4 + slice.refPosition - 1]!));
}

/** The first reference of the contract's data is the dictionary (`cfg_dict` of the reference contract). */
async function ofContract(scope: ReadScope, mcSeqno: number): Promise<string | null> {
  const contract = await readStoredAccount(scope, CONFIG_ADDRESS, mcSeqno).catch((error: unknown) => {
    if (error instanceof HttpError) return null;
    throw error;
  });
  const data = readShardAccount(contract)?.data;
  if (!data) return null;
  const boc = parseBoc(data);
  const slice = new CellSlice(boc, onlyRoot(boc));
  if (slice.refsLeft === 0) return null;
  const config = toBase64(serializeCell(boc, slice.ref()));
  const address = configParam(config, 0);
  return address?.bytes(32).every((byte) => byte === 0x55) ? config : null;
}

/** The block's state update has the hash of the dictionary; an index in mid-chain has fetched its cells. */
async function ofState(scope: ReadScope, mcSeqno: number): Promise<string | null> {
  const block = await readBlock(scope, mcSeqno);
  if (!block) return null;
  const { boc } = block;
  const update = loadMerkleUpdate(new CellSlice(boc, -1).resetAny(block.stateUpdate));
  const { custom } = loadShardStateUnsplit(new CellSlice(boc, update.new));
  const { config } = loadMcStateExtra(new CellSlice(boc, custom));
  const key = cellKey(new CellHashes(boc).hash(config, 0));
  const cell = (await readCompleteCells(scope, [key], [])).get(key);
  return cell ? toBase64(writeBag(cell, { index: false })) : null;
}
