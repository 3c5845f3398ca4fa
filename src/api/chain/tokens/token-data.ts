import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import { methodId } from '../../../ton/contracts/codes/method-id.ts';
import { readTokenContent, type TokenContent } from '../../../ton/contracts/tokens/token-content.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import { readSnake } from '../../../ton/tlb/snake-text.ts';
import type { StackValue } from '../../../tvm/stack/stack-value.ts';
import type { Caller } from '../../caller.ts';
import { zonesByMethod } from '../../entities/contracts/name-zones.ts';
import { HttpError, NotHeldError } from '../../http/errors/http-error.ts';
import { toRawAddress } from '../../query/account-id.ts';
import { openScope, type ReadScope } from '../../query/scope.ts';
import type { ServeContext } from '../../serve-context.ts';
import type { ChainRequest } from '../chain-request.ts';
import { type MethodState, runGetMethod } from '../run-get-method.ts';
import { type Ask, hasValues, requireNamed } from './ask-contract.ts';
import { type DnsContent, readDnsRecords } from './dns-content.ts';
import { type KnownReader, readKnownTokenData } from './known-token-data.ts';
import { type MultisigData, readMultisigData } from './multisig-data.ts';
import { type NameData, type NameFacts, readNameData, readTelegramName } from './name-data.ts';
import { readSaleData, type SaleData } from './sale-data.ts';
import type { TokenData } from './token-facts.ts';
import {
  addressSlice,
  NotThisTokenError,
  readAddress,
  readCellBag,
  readInt,
  requiredAddress,
} from './token-stack.ts';

type Reader = (ask: Ask, address: AccountAddress, stack: readonly StackValue[]) => Promise<TokenData>;

/** Query for the name itself: one zero byte. */
const ITSELF = writeBag(new CellBuilder().uint(0, 8).cell());

/** In this order the first that fits counts (v2-endpoints.md section 9). */
const KINDS: readonly {
  readonly kind: TokenData['kind'];
  readonly method: string;
  readonly results: number;
  readonly read: Reader;
}[] = [
  { kind: 'jetton_master', method: 'get_jetton_data', results: 5, read: jettonMaster },
  { kind: 'jetton_wallet', method: 'get_wallet_data', results: 4, read: jettonWallet },
  { kind: 'nft_collection', method: 'get_collection_data', results: 3, read: nftCollection },
  { kind: 'nft_item', method: 'get_nft_data', results: 5, read: nftItem },
];

/**
 * Kind and data of the token that an account is; null for none. Data under a known code is read as v3 reads it, without the TVM.
 * @throws NotHeldError the index cannot tell: names what is missing
 * @throws HttpError nothing runs contracts
 */
export async function readTokenData(
  request: ChainRequest,
  address: AccountAddress,
  mcSeqno: number | undefined,
): Promise<TokenData | null> {
  const ask: Ask = async (of, method, stack = []) => {
    const call = { address: of, methodId: methodId(method), stack, mcSeqno };
    const outcome = await runGetMethod(request, call);
    return outcome.exitCode === 0 ? outcome.stack : null;
  };
  const { scope } = request;
  const known = scope && (await tryKnown(scope, ask, address, mcSeqno));
  if (typeof known === 'string') return null;
  // v2 tells of a name what its get methods return.
  const isLacking = known instanceof NotHeldError;
  if (known && !isLacking && known.kind !== 'nft_item') return known;
  try {
    const found = await tokenByMethods(ask, address);
    // Only the layout knows what it is: its parent cannot be asked.
    if (!found && isLacking) throw known;
    return found;
  } catch (error) {
    if (known && !isLacking && error instanceof NotHeldError) return known;
    throw error;
  }
}

/**
 * By the layout of its code: data, why the account is no token, what the index lacks to tell, or null if only its get methods can
 * tell.
 */
async function tryKnown(
  scope: ReadScope,
  ask: Ask,
  address: AccountAddress,
  mcSeqno: number | undefined,
): Promise<TokenData | NotHeldError | string | null> {
  const reader = { scope, mcSeqno: mcSeqno ?? scope.visible.last, ...parentsBy(ask, address) };
  try {
    return await unlessNone(() => readKnownTokenData(reader, address));
  } catch (error) {
    if (error instanceof NotHeldError) return error;
    throw error;
  }
}

async function tokenByMethods(ask: Ask, address: AccountAddress): Promise<TokenData | null> {
  for (const { method, results, read } of KINDS) {
    const stack = await ask(address, method);
    if (!hasValues(stack, results)) continue;
    try {
      return await read(ask, address, stack);
    } catch (error) {
      if (!(error instanceof NotThisTokenError)) throw error;
    }
  }
  return null;
}

/** Asks masters and collections about a child at `address`. */
function parentsBy(ask: Ask, address: AccountAddress): Pick<KnownReader, 'confirm' | 'itemContent'> {
  return {
    async confirm({ token: { kind, owner, amount }, parent }) {
      if (kind === 'jetton_wallet' && owner) await confirmWallet(ask, address, owner, parent);
      else await confirmItem(ask, address, amount, parent);
      return true;
    },
    itemContent: async ({ token: { amount }, content, parent }) =>
      readContent(await itemContent(ask, parent, amount, { kind: 'cell', boc: content })),
  };
}

/** The account of the requested state. */
export interface RequestedAccount {
  readonly context: ServeContext;
  readonly caller: Caller;
  readonly address: AccountAddress;
  /** After this masterchain block, also for its master or collection; by default the newest. */
  readonly mcSeqno?: number | undefined;
  /** States of accounts instead of the stored ones, by raw address. Default: none. */
  readonly states?: ReadonlyMap<string, MethodState>;
}

/**
 * Reads an account as a token of a kind; returns a text with the reason if it is none.
 * @throws HttpError if the state is not held, or no chain runs contracts
 */
export async function readTokenAs(
  requested: RequestedAccount,
  kind: TokenData['kind'],
): Promise<TokenData | string> {
  const { method, results, read } = KINDS.find((one) => one.kind === kind) as (typeof KINDS)[number];
  const run = buildRunner(requested);
  const { exitCode, stack } = await run(requested.address, method);
  if (exitCode !== 0) return `exit code ${exitCode}`;
  if (stack.length < results) return `${stack.length} values, ${results} expected`;
  // A name's full text is another kind's.
  const readOwn = kind === 'nft_item' ? plainItem : read;
  return unlessNone(() => readOwn(askWith(run), requested.address, stack));
}

/** Data of an account as a contract that is no token. */
export type ContractData = SaleData | MultisigData | NameData | (SaleData & NameFacts);

/** As `readTokenAs`, for a contract that is no token. */
export function readContractAs(
  requested: RequestedAccount,
  kind: ContractData['kind'],
): Promise<ContractData | string> {
  return unlessNone(() => contractData(requested, kind));
}

async function contractData(requested: RequestedAccount, kind: ContractData['kind']): Promise<ContractData> {
  const { address, context } = requested;
  const ask = askWith(buildRunner(requested));
  const zones = zonesByMethod(context.network.label);
  if (kind === 'multisig' || kind === 'multisig_order') return readMultisigData(ask, address, kind);
  if (kind === 'dns_item') return readNameData(ask, address, zones.ton);
  const sale = await readSaleData((method) => ask(address, method), kind);
  if (kind !== 'teleitem') return sale;
  const name = await unlessNone(() => readTelegramName(ask, address, zones.telegram));
  // Gifts and numbers are no names.
  return typeof name === 'string'
    ? sale
    : { ...sale, ...name, details: { ...sale.details, ...name.details } };
}

function buildRunner({ context, caller, mcSeqno, states }: RequestedAccount) {
  const scope = openScope(context, { route: 'detection', reads: ['base'], caller });
  const request = { context, scope, caller };
  return (of: AccountAddress, name: string, stack: readonly StackValue[] = []) =>
    runGetMethod(request, {
      address: of,
      methodId: methodId(name),
      stack,
      mcSeqno,
      state: states?.get(toRawAddress(of.workchain, of.address)),
    });
}

function askWith(run: ReturnType<typeof buildRunner>): Ask {
  return async (of, name, values) => {
    const { exitCode, stack } = await run(of, name, values);
    return exitCode === 0 ? stack : null;
  };
}

async function unlessNone<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotThisTokenError) return error.message;
    throw error;
  }
}

/** @throws HttpError 409 */
export function noToken(): HttpError {
  return new HttpError(409, 'Smart contract is not Jetton or NFT');
}

async function jettonMaster(_ask: Ask, _address: AccountAddress, stack: readonly StackValue[]) {
  return {
    kind: 'jetton_master' as const,
    totalSupply: readInt(stack[0]),
    mintable: readInt(stack[1]) !== 0n,
    admin: readAddress(stack[2]),
    content: readContent(stack[3]),
    walletCode: readCellBag(stack[4]),
  };
}

async function jettonWallet(ask: Ask, address: AccountAddress, stack: readonly StackValue[]) {
  const [owner, master] = [requiredAddress(stack[1]), requiredAddress(stack[2])];
  await confirmWallet(ask, address, owner, master);
  const claimed = await ask(address, 'is_claimed');
  return {
    kind: 'jetton_wallet' as const,
    balance: readInt(stack[0]),
    owner,
    master,
    walletCode: readCellBag(stack[3]),
    // Only mintless jettons have the method.
    isClaimed: claimed?.[0]?.kind === 'int' ? claimed[0].value !== 0n : null,
  };
}

async function nftCollection(_ask: Ask, _address: AccountAddress, stack: readonly StackValue[]) {
  return {
    kind: 'nft_collection' as const,
    nextIndex: readInt(stack[0]),
    content: readContent(stack[1]),
    owner: readAddress(stack[2]),
  };
}

/** In v2's form: for a name, its text and records. */
async function nftItem(ask: Ask, address: AccountAddress, stack: readonly StackValue[]) {
  const name = readAddress(stack[2]) && (await dnsContent(ask, address));
  return item(ask, address, stack, name);
}

/** In its collection's form. */
function plainItem(ask: Ask, address: AccountAddress, stack: readonly StackValue[]) {
  return item(ask, address, stack, null);
}

async function item(
  ask: Ask,
  address: AccountAddress,
  stack: readonly StackValue[],
  name: DnsContent | null,
) {
  const [index, collection] = [readInt(stack[1]), readAddress(stack[2])];
  if (collection) await confirmItem(ask, address, index, collection);
  let content: StackValue | undefined = stack[4];
  if (collection && content && !name) content = await itemContent(ask, collection, index, content);
  return {
    kind: 'nft_item' as const,
    isInit: readInt(stack[0]) !== 0n,
    index,
    collection,
    owner: readAddress(stack[3]),
    content: name ?? readContent(content),
  };
}

/** @throws NotThisTokenError the master does not give the wallet this address */
async function confirmWallet(
  ask: Ask,
  address: AccountAddress,
  owner: AccountAddress,
  master: AccountAddress,
): Promise<void> {
  requireNamed(address, await ask(master, 'get_wallet_address', [addressSlice(owner)]));
}

/** @throws NotThisTokenError the collection does not give the item this address */
async function confirmItem(
  ask: Ask,
  address: AccountAddress,
  index: bigint,
  collection: AccountAddress,
): Promise<void> {
  const indexValue: StackValue = { kind: 'int', value: index };
  requireNamed(address, await ask(collection, 'get_nft_address_by_index', [indexValue]));
}

/** The content of an item as its collection gives it. */
async function itemContent(
  ask: Ask,
  collection: AccountAddress,
  index: bigint,
  content: StackValue,
): Promise<StackValue | undefined> {
  const indexValue: StackValue = { kind: 'int', value: index };
  return (await ask(collection, 'get_nft_content', [indexValue, content]))?.[0];
}

/** The name of an item, with its records; null if it is not a name. */
async function dnsContent(ask: Ask, address: AccountAddress): Promise<DnsContent | null> {
  const everything: StackValue[] = [
    { kind: 'slice', boc: ITSELF },
    { kind: 'int', value: 0n },
  ];
  const resolved = await ask(address, 'dnsresolve', everything);
  const records = hasValues(resolved, 2) ? resolved[1] : undefined;
  if (records?.kind !== 'cell' && records?.kind !== 'null') return null;
  const data = records.kind === 'cell' ? readDnsRecords(records.boc) : {};
  const [label] = (await ask(address, 'get_domain')) ?? [];
  if (data === null || (label?.kind !== 'slice' && label?.kind !== 'cell')) return null;
  const boc = parseBoc(label.boc);
  const text = readSnake(boc, onlyRoot(boc), 0);
  return text && { domain: `${Buffer.from(text).toString('utf8')}.ton`, data };
}

function readContent(value: StackValue | undefined): TokenContent {
  const content = readTokenContent(readCellBag(value));
  if (!content) throw new NotThisTokenError('content as TEP-64 has it', 'another cell');
  return content;
}
