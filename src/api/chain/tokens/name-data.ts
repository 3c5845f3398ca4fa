import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { CellBuilder } from '../../../ton/cell/cell-builder.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import type { ContractDetails, ContractKey } from '../../../ton/contracts/contract-state.ts';
import { rawText } from '../../../ton/contracts/custody/custody-state.ts';
import { type NameRecords, readNameRecords } from '../../../ton/contracts/names/dns-records.ts';
import { sha256 } from '../../../ton/hash/sha256.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import type { StackValue } from '../../../tvm/stack/stack-value.ts';
import type { NameZones } from '../../entities/contracts/filter.ts';
import { isZone } from '../../entities/contracts/name-zones.ts';
import { type Ask, hasValues, needValues, requireNamed } from './ask-contract.ts';
import {
  NotThisTokenError,
  readAddress,
  readCellBag,
  readInt,
  readTextOrNull,
  requiredAddress,
} from './token-stack.ts';

/** Facts of a name: its full text and records with the answers' names, and its look-up keys. */
export interface NameFacts {
  readonly details: ContractDetails;
  readonly keys: readonly ContractKey[];
}

/** A name of the `.ton` zone by its get methods. */
export interface NameData extends NameFacts {
  readonly kind: 'dns_item';
  readonly owner: AccountAddress | null;
  /** The collection of names that it is of. */
  readonly parent: AccountAddress;
}

/** Query for the name itself: one zero byte. */
const ITSELF = writeBag(new CellBuilder().uint(0, 8).cell());
const ITSELF_BITS = 8n;

/**
 * Reads an account as a name of `.ton` (v3-rules.md 6); its collection must be one of `zones` and give it its address.
 * @throws NotThisTokenError why it is none
 */
export async function readNameData(ask: Ask, address: AccountAddress, zones: NameZones): Promise<NameData> {
  const { collection, owner } = await readItem(ask, address, zones);
  const [label] = await needValues((method) => ask(address, method), 'get_domain', 1);
  const text = readTextOrNull(label);
  if (!text) throw new NotThisTokenError('a name', 'no text');
  return {
    kind: 'dns_item',
    owner,
    parent: collection,
    ...(await readNameFacts(ask, address, `${text}.ton`)),
  };
}

/** The name that an item of Telegram is, `name.t.me`, likewise. @throws NotThisTokenError why it is none */
export async function readTelegramName(
  ask: Ask,
  address: AccountAddress,
  zones: NameZones,
): Promise<NameFacts> {
  await readItem(ask, address, zones);
  // `me`, `t` and the name, each ended by a zero byte.
  const [full] = await needValues((method) => ask(address, method), 'get_full_domain', 1);
  const labels = readTextOrNull(full)?.split('\0') ?? [];
  const domain = labels
    .filter((label) => label !== '')
    .toReversed()
    .join('.');
  if (domain === '') throw new NotThisTokenError('a name', 'no text');
  return readNameFacts(ask, address, domain);
}

async function readItem(ask: Ask, address: AccountAddress, zones: NameZones) {
  const [, index, parent, owner] = await needValues((method) => ask(address, method), 'get_nft_data', 5);
  const collection = requiredAddress(parent);
  if (!isZone(zones, rawText(collection))) throw new NotThisTokenError('a collection of names', 'another');
  const indexValue: StackValue = { kind: 'int', value: readInt(index) };
  const named = await ask(collection, 'get_nft_address_by_index', [indexValue]);
  requireNamed(address, named);
  return { collection, owner: readAddress(owner) };
}

async function readNameFacts(ask: Ask, address: AccountAddress, domain: string): Promise<NameFacts> {
  const everything: StackValue[] = [
    { kind: 'slice', boc: ITSELF },
    { kind: 'int', value: 0n },
  ];
  const resolved = await ask(address, 'dnsresolve', everything);
  if (!hasValues(resolved, 2) || readInt(resolved[0]) !== ITSELF_BITS)
    throw new NotThisTokenError('records of the name itself', 'none');
  const { wallet, details } = readRecords(resolved[1]);
  const own = { workchain: 0, address: sha256(new TextEncoder().encode(domain)) };
  return {
    details: { domain, ...details },
    keys: [
      { role: 'domain', account: own },
      ...(wallet ? [{ role: 'wallet', account: wallet } as const] : []),
    ],
  };
}

function readRecords(value: StackValue | undefined): NameRecords {
  const isEmpty = value?.kind === 'null';
  const boc = parseBoc(isEmpty ? ITSELF : readCellBag(value));
  return readNameRecords(boc, isEmpty ? -1 : onlyRoot(boc));
}
