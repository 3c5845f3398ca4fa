import { formatFriendly, formatRaw, type ParsedAddress } from '../../../ton/address/address.ts';
import { InvalidRequest } from '../errors.ts';
import { ADDRESS_TEXT, DETECTED_ADDRESS } from '../format/schemas.ts';
import { ACCOUNT } from '../parameters/history-parameters.ts';
import { defineMethod } from './method.ts';

const PARAMETERS = { address: ACCOUNT };

/** The friendly form has eight bits for the workchain. */
function friendly(address: ParsedAddress, bounceable: boolean, urlSafe = true): string {
  if (address.workchain < -128 || address.workchain > 127)
    throw new InvalidRequest('failed to parse address');
  const testOnly = address.testOnly ?? false;
  return formatFriendly(address.workchain, address.hash, { bounceable, testOnly, urlSafe });
}

/** Friendly form: a raw address becomes bounceable, a friendly one keeps its flags. */
export const packAddress = defineMethod({
  name: 'packAddress',
  group: 'utils',
  reads: [],
  summary: 'Address in the friendly form',
  parameters: PARAMETERS,
  result: ADDRESS_TEXT,
  answer: (_request, { address }) => friendly(address, address.bounceable ?? true),
});

/** Raw form, upper-case. */
export const unpackAddress = defineMethod({
  name: 'unpackAddress',
  group: 'utils',
  reads: [],
  summary: 'Address in the raw form',
  parameters: PARAMETERS,
  result: ADDRESS_TEXT,
  answer: (_request, { address }) => formatRaw(address.workchain, address.hash),
});

/** All forms of an address. */
export const detectAddress = defineMethod({
  name: 'detectAddress',
  group: 'utils',
  reads: [],
  summary: 'All forms of an address',
  parameters: PARAMETERS,
  result: DETECTED_ADDRESS,
  answer: (_request, { address }) => ({
    '@type': 'ext.utils.detectedAddress',
    raw_form: formatRaw(address.workchain, address.hash, false),
    bounceable: variant(address, true),
    non_bounceable: variant(address, false),
    given_type: givenType(address),
    test_only: address.testOnly ?? false,
  }),
});

function variant(address: ParsedAddress, bounceable: boolean): Record<string, string> {
  return {
    '@type': 'ext.utils.detectedAddressVariant',
    b64: friendly(address, bounceable, false),
    b64url: friendly(address, bounceable),
  };
}

function givenType({ form, bounceable }: ParsedAddress): string {
  if (form === 'raw') return 'raw_form';
  return bounceable ? 'friendly_bounceable' : 'friendly_non_bounceable';
}
