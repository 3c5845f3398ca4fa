import { toBase64 } from '../../../ton/hash/base64.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import { required } from '../../parameters/parameter.ts';
import { DETECTED_HASH } from '../format/schemas.ts';
import { HASH } from '../parameters/forms.ts';
import { defineMethod } from './method.ts';

/** All forms of a hash; the url-safe one without padding, as the public servers write it. */
export const detectHash = defineMethod({
  name: 'detectHash',
  group: 'utils',
  reads: [],
  summary: 'All forms of a hash',
  parameters: { hash: required(HASH, 'hash') },
  result: DETECTED_HASH,
  answer: (_request, { hash }) => ({
    '@type': 'ext.utils.detectedHash',
    b64: toBase64(hash),
    b64url: toBase64(hash, 'base64url').slice(0, 43),
    hex: toHex(hash),
  }),
});
