import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { openBag } from '../../ton/boc/open-bag.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { methodId } from '../../ton/contracts/codes/method-id.ts';
import { type DnsRecord, forEachDnsRecord, readDnsRecord } from '../../ton/contracts/names/dns-record.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { HttpError } from '../http/errors/http-error.ts';
import type { ChainRequest } from './chain-request.ts';
import { runGetMethod } from './run-get-method.ts';

/** A name to resolve, and the first resolver. */
export interface NameQuery {
  readonly resolver: AccountAddress;
  /** `alice.ton`; empty for the resolver itself. */
  readonly name: string;
  /** Resolvers that may follow the first one. */
  readonly hops: number;
  readonly mcSeqno: number | undefined;
}

/** A record, the name that has it, and the hash of its category. */
export interface NameEntry {
  readonly name: string;
  readonly category: Uint8Array;
  readonly record: DnsRecord;
}

/** Resolvers of one name at most: contracts could send a query in a circle. */
export const MAX_HOPS = 16;
/** TEP-81: bytes of a name. */
const MAX_NAME_BYTES = 126;
const NEXT_RESOLVER = sha256(new TextEncoder().encode('dns_next_resolver'));

/**
 * Resolves a name (TEP-81) through its resolvers and returns its records. Returns the next resolver if no more may be
 * followed, and nothing if the name does not exist.
 * @throws HttpError if the name is invalid, a contract fails, or the state is not held
 */
export async function resolveName(request: ChainRequest, query: NameQuery): Promise<readonly NameEntry[]> {
  const encoded = encodeName(query.name);
  let { resolver } = query;
  let done = 0;
  for (let hop = 0; ; hop++) {
    const found = await ask(request, { ...query, resolver }, encoded.subarray(done));
    if (!found) return [];
    done += found.bytes;
    if (done === encoded.length) return parseRecords(found.boc, query.name);
    const record = nextResolver(found.boc);
    if (record?.kind !== 'resolver') return [];
    if (hop >= Math.min(query.hops, MAX_HOPS))
      return [{ name: decodeName(encoded.subarray(0, done)), category: NEXT_RESOLVER, record }];
    resolver = record.address;
  }
}

/** One resolver's answer: how many bytes of the name it knows, and a cell for them; null if none. */
async function ask(request: ChainRequest, { resolver, mcSeqno }: NameQuery, rest: Uint8Array) {
  const name = writeBag(new CellBuilder().bytes(rest).cell());
  const { exitCode, stack } = await runGetMethod(request, {
    address: resolver,
    methodId: methodId('dnsresolve'),
    // Category 0: all of them.
    stack: [
      { kind: 'slice', boc: name },
      { kind: 'int', value: 0n },
    ],
    mcSeqno,
  });
  if (exitCode !== 0) throw new HttpError(500, `Exit code ${exitCode} != 0`);
  const [bits, cell] = stack;
  if (bits?.kind !== 'int' || cell?.kind !== 'cell') return null;
  const bytes = Number(bits.value) / 8;
  return Number.isInteger(bytes) && bytes > 0 && bytes <= rest.length ? { bytes, boc: cell.boc } : null;
}

function parseRecords(boc: Uint8Array, name: string): NameEntry[] {
  const entries: NameEntry[] = [];
  try {
    forEachDnsRecord(boc, (category, record) => entries.push({ name, category, record }));
  } catch (error) {
    if (error instanceof CellError || error instanceof BocError) return [];
    throw error;
  }
  return entries;
}

function nextResolver(bytes: Uint8Array): DnsRecord | null {
  try {
    return readDnsRecord(openBag(bytes));
  } catch (error) {
    if (error instanceof CellError || error instanceof BocError) return null;
    throw error;
  }
}

/** Labels from the last to the first, each ended by a zero byte; one zero byte for the resolver itself. */
function encodeName(name: string): Uint8Array {
  if (name === '' || name === '.') return new Uint8Array(1);
  const labels = name.replace(/\.$/, '').split('.');
  const bytes = Buffer.from(`${labels.toReversed().join('\0')}\0`);
  const isName =
    labels.every((label) => label !== '' && !hasControls(label)) && bytes.length <= MAX_NAME_BYTES;
  if (!isName) throw new HttpError(422, 'failed to parse name');
  return bytes;
}

function hasControls(label: string): boolean {
  return [...label].some((letter) => letter <= ' ');
}

function decodeName(encoded: Uint8Array): string {
  const labels = Buffer.from(encoded).toString().split('\0');
  return labels
    .filter((label) => label !== '')
    .toReversed()
    .join('.');
}
