import { HASH } from '../base-types.ts';
import { AT } from '../engine-tables.ts';
import { coded, column, defineTable, optional } from '../table.ts';
import { buildStored, type Target } from '../target.ts';

/* Facts about tokens from outside the chain: from links of their metadata, and from the operator. Addresses are raw upper-case text. */

const version = 1;

export const TOKEN_CONTENTS = defineTable({
  name: 'token_contents',
  version,
  comment: "What the links of tokens' metadata return. The newest row of a link counts.",
  key: ['link_hash'],
  columns: {
    link_hash: column(HASH, 'SHA-256 of the link.'),
    link: coded('String', 'ZSTD(3)', 'The link.'),
    content: coded('String', 'ZSTD(3)', 'JSON; empty if nothing could be read.'),
    failures: column('UInt8', 'Failures in a row.'),
    next_at: column('UInt32', 'When the link is requested again, Unix seconds.'),
    at: AT,
  },
});

const TOKEN_OVERRIDES = defineTable({
  name: 'token_overrides',
  version,
  comment: 'What the operator sets for a token. The newest row of an address counts.',
  key: ['address'],
  columns: {
    address: column('String', 'The token.'),
    content: optional('String', "''", 'JSON object of attributes; empty for none.'),
    is_nsfw: optional('Bool', 'false', 'True if the images are not safe for work.'),
    is_scam: optional('Bool', 'false', 'True if the token is a scam.'),
    is_removed: optional('Bool', 'false', 'True if the override was taken back.'),
    at: AT,
  },
});

const MINTLESS_MASTERS = defineTable({
  name: 'mintless_masters',
  version,
  comment: 'Mintless jettons of the operator.',
  key: ['address'],
  columns: {
    address: column('String', 'Jetton master.'),
    custom_payload_api_uris: column('Array(String)', 'Where the payload of a claim is requested.'),
    at: AT,
  },
});

export const MINTLESS_AMOUNTS = defineTable({
  name: 'mintless_amounts',
  version,
  comment: 'Amounts that owners of a mintless jetton may claim.',
  key: ['jetton', 'owner'],
  columns: {
    jetton: column('String', 'Jetton master.'),
    owner: column('String', 'Owner who may claim.'),
    amount: column('UInt256', "Amount, in the jetton's smallest unit; 0 takes it back."),
    start_from: column('Nullable(UInt32)', 'First time of a claim, Unix seconds; null for no limit.'),
    expire_at: column('Nullable(UInt32)', 'Last time of a claim, Unix seconds; null for no limit.'),
    at: AT,
  },
});

const settings = { index_granularity: 256 };

export const METADATA_TARGETS: readonly Target[] = [
  buildStored(TOKEN_CONTENTS, { engine: 'ReplacingMergeTree', orderBy: ['link_hash'], settings }),
  buildStored(TOKEN_OVERRIDES, { engine: 'ReplacingMergeTree', orderBy: ['address'] }),
  buildStored(MINTLESS_MASTERS, { engine: 'ReplacingMergeTree(at)', orderBy: ['address'], settings }),
  buildStored(MINTLESS_AMOUNTS, {
    engine: 'ReplacingMergeTree(at)',
    orderBy: MINTLESS_AMOUNTS.key,
    settings,
  }),
];
