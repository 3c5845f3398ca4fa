import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { NO_EXTRA, Trie } from '../../ton/cell/trie.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { DNS_COLLECTION_CODE } from '../contracts/codes/dns-collection-code.ts';
import { DNS_ITEM_CODE } from '../contracts/codes/dns-item-code.ts';
import { DNS_ROOT_CODE } from '../contracts/codes/dns-root-code.ts';
import type { GenesisContract } from './genesis-account.ts';
import { codeCell, contractAt } from './genesis-code.ts';
import { tokenContent } from './token-content.ts';

/** A name below `.ton` that points to its owner's wallet. */
export interface GenesisName {
  readonly label: string;
  readonly owner: AccountAddress;
}

/** Names of a chain. */
export interface GenesisDns {
  readonly root: GenesisContract;
  readonly collection: GenesisContract;
  /** In the order of the names. */
  readonly items: readonly GenesisContract[];
  /** Configuration parameter 4: the root, a masterchain account. */
  readonly param: { readonly param: number; readonly cell: Cell };
}

const TON = 1_000_000_000n;
/** `dns_root_addr`. */
const ROOT_PARAM = 4;
const CONTENT = { name: 'Localnet names', description: 'Names below .ton on the local chain.' };

/** The root, the collection that gives names away, and the names that are given already. */
export function genesisDns(owner: AccountAddress, names: readonly GenesisName[]): GenesisDns {
  const collectionData = new CellBuilder().with(storeAddress, owner).ref(tokenContent(CONTENT));
  const code = codeCell(DNS_COLLECTION_CODE);
  const collection = contractAt(code, collectionData.ref(codeCell(DNS_ITEM_CODE)).cell(), TON);
  const rootData = new CellBuilder().with(storeAddress, collection.address).cell();
  const root = contractAt(codeCell(DNS_ROOT_CODE), rootData, TON, { workchain: -1 });
  return {
    root,
    collection,
    items: names.map((name) => nameItem(collection.address, name)),
    param: { param: ROOT_PARAM, cell: new CellBuilder().bytes(root.address.address).cell() },
  };
}

function nameItem(collection: AccountAddress, { label, owner }: GenesisName): GenesisContract {
  const labelCell = new CellBuilder().bytes(new TextEncoder().encode(label)).cell();
  // The index of a name is the hash of its label.
  const before = () => new CellBuilder().bytes(labelCell.hash()).with(storeAddress, collection);
  const data = before()
    .with(storeAddress, owner)
    .ref(labelCell)
    .ref(tokenContent({ name: `${label}.ton`, description: 'A name on the local chain.' }));
  walletRecord(owner).store(data);
  return contractAt(codeCell(DNS_ITEM_CODE), data.cell(), TON / 10n, { before: before().cell() });
}

// dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) = DNSRecord; keys are SHA-256 of a record's kind.
function walletRecord(owner: AccountAddress): Trie<Cell, null> {
  const record = new CellBuilder().uint(0x9fd3, 16).with(storeAddress, owner).uint(0, 8).cell();
  const records = Trie.empty<Cell>({
    keyBits: 256,
    store: (builder, value) => builder.ref(value),
    extra: NO_EXTRA,
  });
  return records.set(sha256(new TextEncoder().encode('wallet')), record);
}
