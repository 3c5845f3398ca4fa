/** Rows of states of jettons and NFTs, from get methods after each step. */
import type { CommittedBlock } from './core-rows.ts';
import type { LakeServer, Row } from './lake-server.ts';
import { toRootHash, toSortedJson } from './lake-values.ts';
import { toAddress, toNumber } from './method-rows.ts';
import { askList, methodHistory, type StateAt, stateTimes } from './state-history.ts';
import { contentColumns, readContent } from './token-content.ts';

const JETTON_FIELDS = ['symbol', 'name', 'description', 'image', 'image_data', 'decimals'];
const NFT_FIELDS = ['name', 'description', 'image', 'image_data'];

async function ofKind(server: LakeServer, kind: string): Promise<readonly string[]> {
  return askList(server, `SELECT address FROM accounts WHERE has(interfaces, '${kind}')`);
}

/** Rows of `jetton_metadata`: `get_jetton_data` of each master. */
export async function jettonMetadataRows(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const states = stateTimes(blocks, await ofKind(server, 'jetton_master'));
  const codes = await codesOf(server, states);
  return methodHistory(
    server,
    states,
    'get_jetton_data',
    ([, mintable, admin, content, code], { address, now }) => {
      const fields = readContent(content!.value);
      return {
        address,
        update_time_onchain: now,
        update_time_metadata: null,
        mintable: toNumber(mintable!) !== 0n,
        admin_address: toAddress(admin!),
        jetton_content_onchain: toSortedJson(fields),
        jetton_wallet_code_hash: toRootHash(code!.value),
        code_hash: codes.get(address),
        metadata_status: 0,
        decimals: Number(fields.decimals ?? 9),
        ...contentColumns(fields, JETTON_FIELDS),
        adding_date: toDate(now),
      };
    },
  );
}

/** Code hashes of accounts now, from the API: these contracts do not change their code. */
async function codesOf(
  server: LakeServer,
  states: readonly StateAt[],
): Promise<ReadonlyMap<string, unknown>> {
  const codes = new Map<string, unknown>();
  for (const address of new Set(states.map((state) => state.address))) {
    const { accounts } = await server.get(
      `accountStates?include_boc=false&address=${encodeURIComponent(address)}`,
    );
    codes.set(address, (accounts as readonly Row[])[0]?.code_hash);
  }
  return codes;
}

const toDate = (now: number) => new Date(now * 1_000).toISOString().slice(0, 10);

/** Rows of `nft_items`: `get_nft_data` of each item. */
export async function itemRows(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const items = await ofKind(server, 'nft_item');
  return methodHistory(
    server,
    stateTimes(blocks, items),
    'get_nft_data',
    ([init, index, collection, owner, content], { address, now, lt }) => ({
      address,
      is_init: toNumber(init!) !== 0n,
      index: toNumber(index!),
      collection_address: toAddress(collection!),
      owner_address: toAddress(owner!),
      content_onchain: toSortedJson(readContent(content!.value)),
      timestamp: now,
      lt,
    }),
  );
}

/** Rows of `nft_metadata`: content of each item and collection. */
export async function nftMetadataRows(
  server: LakeServer,
  blocks: readonly CommittedBlock[],
): Promise<readonly Row[]> {
  const toRow = (type: string, parent: string | null, content: unknown, { address, now }: StateAt): Row => {
    const fields = readContent(content);
    return {
      type,
      address,
      update_time_onchain: now,
      update_time_metadata: null,
      parent_address: parent,
      content_onchain: toSortedJson(fields),
      metadata_status: 0,
      attributes: null,
      ...contentColumns(fields, NFT_FIELDS),
      adding_date: toDate(now),
    };
  };
  const items = stateTimes(blocks, await ofKind(server, 'nft_item'));
  const collections = stateTimes(blocks, await ofKind(server, 'nft_collection'));
  return [
    ...(await methodHistory(server, items, 'get_nft_data', (stack, state) =>
      toRow('item', toAddress(stack[2]!), stack[4]!.value, state),
    )),
    ...(await methodHistory(server, collections, 'get_collection_data', (stack, state) =>
      toRow('collection', null, stack[1]!.value, state),
    )),
  ];
}
