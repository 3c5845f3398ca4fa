import { BOUNCED_OP } from '../../../../ton/messages/bounced.ts';
import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockThat, call, optional } from '../../match/pattern.ts';
import type { Fields } from '../../model/action.ts';
import { CALL_CONTRACT } from '../../tree/basic-blocks.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { isTonDomain, itemAt, type NftItem } from '../nft/nft-items.ts';
import { PAYOUT_OP, readQueryIfThere } from '../nft/nft-messages.ts';
import { type DnsRecord, type DnsSchema, readDnsRecord } from './dns-record.ts';

const CHANGE_RECORD = 0x4eb1f0f9;
const RELEASE = 0x4ed14b65;

/** A record of a domain that was set, removed or renewed. */
interface DnsChange {
  readonly source: string | null;
  readonly item: string | null;
  readonly collection: string | null;
  /** Record key, 64 lower-case digits. */
  readonly key: string;
  /** null: removed. */
  readonly record: DnsRecord | null;
}

/** The fields of `value` by schema. A storage address has a text, as in the server's answers. */
const FIELDS: Readonly<Record<DnsSchema, string | null>> = {
  DNSNextResolver: 'dns_next_resolver_address',
  DNSAdnlAddress: 'dns_adnl_address',
  DNSSmcAddress: 'dns_smc_address',
  DNSStorageAddress: 'dns_storage_address',
  DNSText: 'dns_storage_address',
  Unknown: null,
};

function recordDetails({ schema, value, flags }: DnsRecord): Fields {
  const field = FIELDS[schema];
  return {
    sum_type: schema,
    dns_next_resolver_address: null,
    dns_adnl_address: null,
    dns_smc_address: null,
    dns_storage_address: null,
    dns_text: null,
    flags,
    ...(field !== null && { [field]: value }),
  };
}

function changeKind(name: string, details: BlockKind<DnsChange>['details']): BlockKind<DnsChange> {
  return {
    name,
    type: name,
    columns: ({ source, item, collection, key, record }) => ({
      source,
      destination: item,
      asset: collection,
      ...(name !== 'renew_dns' && {
        change_dns_record_data: {
          value_schema: record?.schema ?? null,
          value: record?.value ?? null,
          flags: record?.flags ?? null,
          key,
        },
      }),
    }),
    details,
  };
}

const common = ({ source, item, collection }: DnsChange): Fields => ({
  source,
  asset: item,
  nft_collection: collection,
});

const CHANGE_DNS = changeKind('change_dns', (one) => ({
  key: one.key,
  value: one.record && recordDetails(one.record),
  ...common(one),
}));
const DELETE_DNS = changeKind('delete_dns', (one) => ({ hash: one.key, ...common(one) }));
const RENEW_DNS = changeKind('renew_dns', common);

function getKind({ record, key }: DnsChange): BlockKind<DnsChange> {
  if (record) return CHANGE_DNS;
  return /^0*$/.test(key) ? RENEW_DNS : DELETE_DNS;
}

/** change_dns_record#4eb1f0f9 query key:bits256 value:(the reference, if there is one) (TEP-81) */
function buildChange(block: Block, found: Found, context: Context): Block {
  const body = block.body().skip(64);
  const data: DnsChange = {
    source: block.source,
    item: block.destination,
    collection: context.nftItem(block.destination)?.collection ?? null,
    key: body.hex(256),
    record: body.refsLeft > 0 ? readDnsRecord(body.ref()) : null,
  };
  return context.merge({ kind: getKind(data), parts: [block, ...found.blocks], failed: block.aborted, data });
}

/** A domain bought from its auction without a higher bid. */
interface DnsPurchase {
  readonly item: NftItem;
  readonly newOwner: string | null;
  readonly queryId: bigint | null;
  readonly price: bigint;
}

const DNS_PURCHASE: BlockKind<DnsPurchase> = {
  name: 'dns_purchase',
  type: 'dns_purchase',
  columns: ({ item, newOwner, queryId, price }) => ({
    destination: newOwner,
    asset: item.collection,
    asset_secondary: item.address,
    nft_transfer_data: {
      query_id: queryId,
      is_purchase: true,
      price,
      nft_item_index: item.index,
      payout_amount: price,
    },
  }),
  details: ({ item, newOwner, queryId, price }) => ({
    nft_collection: item.collection,
    nft_item: item.address,
    nft_item_index: item.index,
    new_owner: newOwner,
    price,
    query_id: queryId,
    payout_amount: price,
  }),
};

function buildPurchase(block: Block, _found: Found, context: Context): Block {
  const { previous } = block;
  const fact = context.nftItem(block.source);
  demand(isTonDomain(fact), 'a domain under .ton');
  demand(previous?.is(CALL_CONTRACT) ?? false, 'a call before the payout');
  return context.merge({
    kind: DNS_PURCHASE,
    parts: [block],
    failed: block.aborted,
    data: {
      item: itemAt(block.source, fact),
      newOwner: previous!.source,
      queryId: readQueryIfThere(block.body()),
      price: block.value,
    },
  });
}

/** A domain that its owner gave back. */
interface DnsRelease {
  readonly item: NftItem;
  readonly source: string | null;
  readonly queryId: bigint | null;
  readonly value: bigint;
}

const DNS_RELEASE: BlockKind<DnsRelease> = {
  name: 'dns_release',
  type: 'dns_release',
  columns: ({ item, source, queryId, value }) => ({
    source,
    destination: item.address,
    asset: item.collection,
    value,
    nft_transfer_data: { query_id: queryId, nft_item_index: item.index },
  }),
  details: ({ item, source, queryId, value }) => ({
    query_id: queryId,
    source,
    nft_item: item.address,
    nft_collection: item.collection,
    nft_item_index: item.index,
    value,
  }),
};

function buildRelease(block: Block, _found: Found, context: Context): Block {
  const fact = context.nftItem(block.destination);
  const item = itemAt(block.destination, needed(isTonDomain(fact) ? fact : null, 'a domain under .ton'));
  return context.merge({
    kind: DNS_RELEASE,
    parts: [block],
    failed: block.aborted,
    data: { item, source: block.source, queryId: readQueryIfThere(block.body()), value: block.value },
  });
}

/**
 * dns_release: 0x4ed14b65 to a `.ton` domain. dns_purchase: 0x370fec51 sent by a `.ton` domain below a call, whose sender
 * is the new owner; only the payout is merged. change_dns, renew_dns, delete_dns: 0x4eb1f0f9 (→ 0xffffffff) with a value,
 * without and with key zero, without and with another key. All failed when aborted.
 */
export const dns: readonly Matcher[] = [
  {
    name: 'dns_release',
    after: ['jetton_burn'],
    pattern: call(RELEASE, { build: buildRelease }),
  },
  {
    name: 'dns_purchase',
    after: ['dns_release'],
    pattern: blockThat((block) => block.opcode === PAYOUT_OP && block.is(CALL_CONTRACT), {
      marks: [PAYOUT_OP],
      build: buildPurchase,
    }),
  },
  {
    name: 'change_dns',
    after: ['nft_discovery'],
    pattern: call(CHANGE_RECORD, { child: optional(call(BOUNCED_OP)), build: buildChange }),
  },
];
