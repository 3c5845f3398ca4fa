import { Type } from 'typebox';
import { MAX_HOPS, resolveName } from '../../chain/resolve-name.ts';
import { toText } from '../../parameters/form.ts';
import { int32 } from '../../parameters/integer.ts';
import { optional, withDefault } from '../../parameters/parameter.ts';
import { DNS_RESOLVED } from '../format/chain-schemas.ts';
import { dnsEntry } from '../format/dns-entry.ts';
import { STATE_SEQNO } from '../parameters/block-parameters.ts';
import { HASH } from '../parameters/forms.ts';
import { ACCOUNT } from '../parameters/history-parameters.ts';
import { chainAddress } from './message-parts.ts';
import { defineMethod } from './method.ts';

const NAME = { schema: Type.String({ pattern: '^([a-z0-9-]{1,60}(\\.[a-z0-9-]{1,60}))?$' }), read: toText };

/** Records of a name, of every category as on the public servers. */
export const dnsResolve = defineMethod({
  name: 'dnsResolve',
  group: 'utils',
  reads: ['base'],
  summary: 'Records of a DNS name',
  parameters: {
    address: ACCOUNT,
    name: withDefault(NAME, '', 'name below the contract at address; empty for the contract itself'),
    category: optional(HASH, 'no effect: all categories are answered'),
    ttl: withDefault(int32({ sign: 'non-negative' }), MAX_HOPS, 'resolvers that may follow the first'),
    seqno: STATE_SEQNO,
  },
  result: DNS_RESOLVED,
  async answer(request, { address, name, ttl, seqno }) {
    const query = { resolver: chainAddress(address), name, hops: ttl, mcSeqno: seqno };
    const entries = await resolveName(request, query);
    return { '@type': 'dns.resolved', entries: entries.map(dnsEntry) };
  },
});
