import type { Body } from '../../body/body.ts';
import { demand } from '../../body/refusal.ts';
import type { Fields } from '../../model/action.ts';

/** A number as LayerZero's addresses and ids are shown: `0x` and hex without leading zeros. */
const toPrefixedHex = (value: bigint): string => `0x${value.toString(16)}`;

/** Each object begins with its name and a description of its fields, filled up with ones to a fixed width. */
function skipHeader(body: Body, parts: readonly (readonly [bits: number, value: bigint])[]): void {
  for (const [bits, value] of parts) demand(body.big(bits) === value, 'the header of the object');
}

const ones = (bits: number): bigint => (1n << BigInt(bits)) - 1n;

const PATH = [
  [152, 8903714975572488637007080065659n],
  [198, ones(198)],
] as const;
const PACKET = [
  [152, 417359019239977417716476838698419835n],
  [198, ones(198)],
] as const;
const SEND = [
  [80, 0x6c7a53656e64n],
  [180, 582890735024998957421269964955452773563747974476099581n],
  [90, ones(90)],
] as const;
const VERIFY_STATUS = [
  [116, 38421788582694199859296615363593851n],
  [234, ones(234)],
] as const;

/** As the API shows numbers of LayerZero: as numbers, not as text; beyond 2^53 the last digits are lost there. */
export function shownNumbers(fields: Fields): Fields {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}

/** A message between two chains. */
export interface Packet {
  /** Application that the packet is for. */
  readonly dstOapp: string;
  readonly fields: Fields;
}

/** header source_eid:uint32 source_app:uint256 target_eid:uint32 target_app:uint256 */
function readPath(body: Body) {
  skipHeader(body, PATH);
  const [srcEid, srcOapp, dstEid] = [body.uint(32), toPrefixedHex(body.big(256)), body.uint(32)];
  return { srcEid, srcOapp, dstEid, dstOapp: toPrefixedHex(body.big(256)) };
}

/** header ^path ^message nonce:uint64 guid:uint256 */
export function readPacket(body: Body): Packet {
  skipHeader(body, PACKET);
  const path = readPath(body.ref());
  const message = body.ref();
  const [nonce, guid] = [body.u64(), body.big(256)];
  return {
    dstOapp: path.dstOapp,
    fields: {
      src_oapp: path.srcOapp,
      dst_oapp: path.dstOapp,
      src_eid: path.srcEid,
      dst_eid: path.dstEid,
      nonce,
      guid: toPrefixedHex(guid),
      message: `0x${message.hex(message.bitsLeft & ~7)}`,
    },
  };
}

/** Request of an application to its endpoint to send a packet. */
export interface SendObject {
  readonly packet: Packet;
  /** Without the accounts that only the trace contains. */
  readonly fields: Fields;
}

/** header request:uint64 manager:uint256 msglib:uint256 ^packet ^options ^(connection:uint256 native:uint128 zro:uint128 …) */
export function readSendObject(body: Body): SendObject {
  skipHeader(body, SEND);
  const [request, manager, msglib] = [body.u64(), body.big(256), body.big(256)];
  const packet = readPacket(body.ref());
  body.ref();
  const fees = body.ref().skip(256);
  return {
    packet,
    fields: {
      send_request_id: request,
      msglib_manager: toPrefixedHex(manager),
      msglib: toPrefixedHex(msglib),
      native_fee: fees.big(128),
      zro_fee: fees.big(128),
    },
  };
}

const STATUSES: Readonly<Record<number, string>> = {
  1002188907: 'succeeded',
  2144056492: 'nonce_out_of_range',
  700792747: 'dvn_not_configured',
};

/** header nonce:uint64 status:uint32 */
export function readVerifyStatus(body: Body): { readonly nonce: bigint; readonly status: string } {
  skipHeader(body, VERIFY_STATUS);
  const [nonce, status] = [body.u64(), body.uint(32)];
  return { nonce, status: STATUSES[status] ?? `unknown_${status}` };
}
