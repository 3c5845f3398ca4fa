import { parseAddress } from '../../ton/address/address.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { PostBody } from '../v3/parameters/body.ts';
import { invalid, readNumber, readText, strictCell } from './request-fields.ts';

/** A message that a wallet is asked to send. */
export interface RequestedMessage {
  readonly to: AccountAddress;
  /** From the form of the address; a raw one lets messages bounce. */
  readonly bounce: boolean;
  /** Nanotons. */
  readonly amount: bigint;
  readonly payload: Cell | null;
  readonly stateInit: Cell | null;
}

/** A TON Connect request to send messages. */
export interface TonConnectRequest {
  readonly from: AccountAddress;
  readonly messages: readonly RequestedMessage[];
  /** Unix seconds; null if the request names none. */
  readonly validUntil: number | null;
}

const MAX_MESSAGES = 4;
const MAX_UINT64 = (1n << 64n) - 1n;
const MAX_UINT32 = 0xffff_ffff;
/** From here on a time is in these parts of a second. */
const PARTS_OF_SECOND = [
  [1e17, 1e9],
  [1e14, 1e6],
  [1e11, 1e3],
] as const;

/** @throws HttpError 400 */
export function readTonConnectRequest(body: PostBody): TonConnectRequest {
  const from = readText(body, 'from');
  if (!from) throw invalid('from address is required for emulation');
  const sender = parseAddress(from);
  if (!sender) throw invalid('from address cannot be read');
  const messages = body.messages ?? [];
  if (!Array.isArray(messages)) throw invalid('messages must be an array');
  if (messages.length === 0) throw invalid('messages array cannot be empty');
  if (messages.length > MAX_MESSAGES)
    throw invalid(`messages array cannot contain more than ${MAX_MESSAGES} messages`);
  return {
    from: { workchain: sender.workchain, address: sender.hash },
    messages: messages.map(readMessage),
    validUntil: seconds(readNumber(body, 'valid_until', Number.MAX_VALUE)),
  };
}

function readMessage(value: unknown, index: number): RequestedMessage {
  const at = `at index ${index}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`message ${at} cannot be empty`);
  const fields = value as PostBody;
  const text = readText(fields, 'address');
  if (!text) throw invalid(`message ${at} cannot be empty`);
  const to = parseAddress(text);
  // Messages to standard addresses have a workchain of eight bits.
  if (!to || to.workchain !== (to.workchain << 24) >> 24) throw invalid(`invalid address in message ${at}`);
  const part = (name: string) => {
    const boc = readText(fields, name);
    return boc ? strictCell(boc, `invalid message ${name} ${at}`) : null;
  };
  return {
    to: { workchain: to.workchain, address: to.hash },
    bounce: to.bounceable ?? true,
    amount: readAmount(readText(fields, 'amount'), at),
    payload: part('payload'),
    stateInit: part('stateInit'),
  };
}

function readAmount(text: string | null, at: string): bigint {
  if (!text) throw invalid(`amount in message ${at} cannot be empty`);
  const amount = /^\d{1,20}$/.test(text) ? BigInt(text) : null;
  if (amount === null || amount > MAX_UINT64)
    throw invalid(`invalid amount in message ${at}: decimal text of 64 bits is needed`);
  return amount;
}

function seconds(time: number | null): number | null {
  if (time === null) return null;
  const [, parts = 1] = PARTS_OF_SECOND.find(([from]) => time >= from) ?? [];
  return Math.min(Math.floor(time / parts), MAX_UINT32);
}
