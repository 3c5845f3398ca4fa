import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { snakeCell } from '../../ton/store/store-snake.ts';
import { USERNAME_CODE } from '../contracts/codes/username-code.ts';
import { USERNAME_COLLECTION_CODE } from '../contracts/codes/username-collection-code.ts';
import type { GenesisContract } from './genesis-account.ts';
import { codeCell, contractAt } from './genesis-code.ts';
import { ROYALTY } from './genesis-nft.ts';

export interface GenesisUsernames {
  readonly collection: GenesisContract;
  readonly items: readonly GenesisContract[];
}

const TON = 1_000_000_000n;
const OFF_CHAIN = 1;
/** Rules of actions identify usernames and numbers of Telegram by the host of their content. */
const CONTENT = 'https://nft.fragment.com/';
/** The zone `t.me`, as bytes of its names from the root, each ended by a zero byte. */
const DOMAIN = 'me\0t\0';

/** A collection of usernames `localnet1` … in the form of Telegram's, one for each owner. */
export function genesisUsernames(
  royaltyTo: AccountAddress,
  owners: readonly AccountAddress[],
): GenesisUsernames {
  const royalty = new CellBuilder().uint(ROYALTY.numerator, 16).uint(ROYALTY.denominator, 16);
  const terms = royalty.with(storeAddress, royaltyTo).cell();
  // telemint_data$_ touched:Bool subwallet_id:uint32 public_key:bits256 collection_content:^Cell nft_item_code:^Cell
  //   full_domain:^TelemintText royalty_params:^NftRoyaltyParams = TelemintData;
  const data = new CellBuilder().bit(true).uint(0, 32).bytes(new Uint8Array(32));
  data.ref(offChain('usernames.json')).ref(codeCell(USERNAME_CODE));
  data.ref(storeText(new CellBuilder(), DOMAIN).cell()).ref(terms);
  const collection = contractAt(codeCell(USERNAME_COLLECTION_CODE), data.cell(), TON);
  const items = owners.map((owner, index) =>
    username(collection.address, `localnet${index + 1}`, { owner, royalty: terms }),
  );
  return { collection, items };
}

// teleitem_config$_ item_index:bits256 collection_address:MsgAddressInt = TeleitemConfig;
// telemint_token_info$_ name:TelemintText domain:TelemintText = TelemintTokenInfo;
// teleitem_content$_ nft_content:^Cell dns:DNS_RecordSet token_info:^TelemintTokenInfo = TeleitemContent;
// teleitem_state$_ owner_address:MsgAddressInt content:^TeleitemContent auction:(Maybe ^TeleitemAuction)
//   royalty_params:^NftRoyaltyParams = TeleitemState;
// teleitem_data$_ config:^TeleitemConfig state:(Maybe ^TeleitemState) = TeleitemData;
function username(
  collection: AccountAddress,
  name: string,
  { owner, royalty }: { readonly owner: AccountAddress; readonly royalty: Cell },
): GenesisContract {
  const index = sha256(new TextEncoder().encode(name));
  const config = new CellBuilder().bytes(index).with(storeAddress, collection).cell();
  const token = storeText(storeText(new CellBuilder(), name), DOMAIN).cell();
  const content = new CellBuilder()
    .ref(offChain(`username/${name}.json`))
    .bit(false)
    .ref(token)
    .cell();
  const state = new CellBuilder().with(storeAddress, owner).ref(content).bit(false).ref(royalty).cell();
  const data = (begun: Cell | null) => new CellBuilder().ref(config).maybeRef(begun).cell();
  // As if it had been deployed empty, so that its address follows from its collection.
  return contractAt(codeCell(USERNAME_CODE), data(state), TON / 10n, { before: data(null) });
}

// telemint_text$_ len:(## 8) text:(bits (len * 8)) = TelemintText;
function storeText(builder: CellBuilder, text: string): CellBuilder {
  const bytes = new TextEncoder().encode(text);
  return builder.uint(bytes.length, 8).bytes(bytes);
}

function offChain(path: string): Cell {
  return snakeCell(new TextEncoder().encode(`${CONTENT}${path}`), new CellBuilder().uint(OFF_CHAIN, 8));
}
