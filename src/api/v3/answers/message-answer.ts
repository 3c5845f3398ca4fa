import type { CurrencyEntries } from '../../../tables/column-type.ts';
import type { PackedAddress, PackedMessage } from '../../../ton/columns/message-pack.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { toRawAddress } from '../../query/account-id.ts';
import type { MessageAnswer, MessageContentAnswer } from '../schemas/message.ts';
import type { MessageBodies } from './answer-bodies.ts';

/** Message of v3-models.md section 6, its keys in the order of the real server. */
export function messageAnswer(message: PackedMessage, bodies: MessageBodies): MessageAnswer {
  const internal = message.kind === 'internal';
  const extIn = message.kind === 'ext_in';
  const hash = toBase64(message.hash);
  const bodyHash = toBase64(message.bodyHash);
  const hashNorm = extIn ? toBase64(message.hashNorm) : hash;
  return {
    hash,
    source: standardAddress(message.source),
    destination: standardAddress(message.destination),
    value: internal ? `${message.value}` : null,
    value_extra_currencies: internal ? currencies(message.valueExtra) : null,
    fwd_fee: internal ? `${message.fwdFee}` : null,
    ihr_fee: internal ? `${message.ihrFee}` : null,
    extra_flags: internal && message.extraFlags !== null ? `${message.extraFlags}` : null,
    created_lt: extIn ? null : `${message.createdLt}`,
    created_at: extIn ? null : `${message.createdAt}`,
    opcode: message.opcode === null ? null : opcodeText(message.opcode),
    decoded_opcode: bodies.getName(message.opcode),
    ihr_disabled: internal ? message.ihrDisabled : null,
    bounce: internal ? message.bounce : null,
    bounced: internal ? message.bounced : null,
    import_fee: extIn ? `${message.importFee}` : null,
    message_content: {
      hash: bodyHash,
      body: toBase64(message.body),
      decoded: bodies.getDecoded(bodyHash, message.body),
    },
    init_state: initState(message),
    ...(hashNorm === hash ? {} : { hash_norm: hashNorm }),
  };
}

/** `0x` and 8 lower-case hex digits of an unsigned 32-bit opcode. */
export function opcodeText(opcode: number): string {
  return `0x${opcode.toString(16).padStart(8, '0')}`;
}

/** The raw form of a standard address; null for all other kinds, which have none. */
export function standardAddress(address: PackedAddress): string | null {
  return address.kind === 'std' ? toRawAddress(address.workchain, address.hash) : null;
}

/** Amounts by currency id, both decimal text. */
export function currencies(entries: CurrencyEntries): Record<string, string> {
  return Object.fromEntries(entries.map(([id, amount]) => [`${id}`, `${amount}`]));
}

function initState({ initHash: hash, init }: PackedMessage): MessageContentAnswer | null {
  return hash && init ? { hash: toBase64(hash), body: toBase64(init), decoded: null } : null;
}
