import { Type } from 'typebox';
import { type ParsedAddress, parseAddress } from '../../ton/address/address.ts';
import { type Form, readable, toText } from './form.ts';

/** An address in the OpenAPI documents. */
export const ADDRESS_TEXT = Type.String({
  format: 'ton-address',
  description: 'raw (`workchain:hex`) or friendly, either base64 alphabet',
});

/** How an address may be written. */
export interface AddressSpelling {
  /** A space is a `+` of the standard alphabet that a query did not escape. Default false. */
  readonly isTolerant?: boolean;
}

/** An account address in any form; null for any other text. */
export function parseAnyAddress(
  text: string,
  { isTolerant = false }: AddressSpelling = {},
): ParsedAddress | null {
  return parseAddress(isTolerant ? text.replaceAll(' ', '+') : text);
}

/** An account address in any form. */
export function address(spelling: AddressSpelling = {}): Form<ParsedAddress> {
  return {
    schema: ADDRESS_TEXT,
    read: (value) => readable(parseAnyAddress(toText(value), spelling)),
  };
}
