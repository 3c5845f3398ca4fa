import { AT } from '../engine-tables.ts';
import { coded, column, defineTable } from '../table.ts';
import { buildStored, type Target } from '../target.ts';

/* Keys, webhooks and users. Rows are only added: the highest revision counts. */

const version = 1;
const CREATED = column('DateTime', 'When it was created.');
const REMOVED = column('Bool', 'True if it was removed.');
const REVISION = column('UInt32', 'Number of the row: the highest one counts.');

const API_KEYS = defineTable({
  name: 'api_keys',
  version,
  comment: 'Keys of the API. Only their hashes are stored.',
  key: ['id', 'revision'],
  columns: {
    id: column('String', 'Id of the key.'),
    name: column('String', 'Name that the operator gave.'),
    hash: column('FixedString(64)', 'SHA-256 of the key, hex.'),
    requests_per_second: column('UInt32', 'Limit; 0 for none.'),
    created_at: CREATED,
    expires_at: column('DateTime', 'When the key ends; 0 for never.'),
    is_revoked: column('Bool', 'True if the key was revoked.'),
    revision: REVISION,
    at: AT,
  },
});

const HOOKS = defineTable({
  name: 'hooks',
  version,
  comment: 'Webhooks.',
  key: ['id', 'revision'],
  columns: {
    id: column('String', 'Id of the webhook.'),
    url: column('String', 'Where events are sent.'),
    secret: column('String', 'Key that signs deliveries.'),
    filter: column('String', 'Subscription, JSON.'),
    start: column('String', 'Position of the first event.'),
    allows_private: column('Bool', 'True if the address may be private.'),
    created_at: CREATED,
    is_removed: REMOVED,
    revision: REVISION,
    at: AT,
  },
});

const SQL_USERS = defineTable({
  name: 'sql_users',
  version,
  comment: 'Named users of the SQL endpoint.',
  key: ['name', 'revision'],
  columns: {
    name: column('String', 'Name of the user.'),
    hash: column('FixedString(64)', 'SHA-256 of the random password, hex.'),
    created_at: CREATED,
    is_removed: REMOVED,
    revision: REVISION,
    at: AT,
  },
});

const HOOK_POSITIONS = defineTable({
  name: 'hook_positions',
  version,
  comment: 'How far each webhook was delivered. The newest row counts.',
  key: ['hook'],
  columns: {
    hook: column('String', 'Id of the webhook.'),
    position: column('String', 'Position after the last delivered event.'),
    at: AT,
  },
});

const HOOK_DEAD_LETTERS = defineTable({
  name: 'hook_dead_letters',
  version,
  comment: 'Deliveries that failed for good. The newest row of a delivery counts.',
  key: ['hook', 'delivery'],
  columns: {
    hook: column('String', 'Id of the webhook.'),
    delivery: column('String', 'Id of the delivery.'),
    body: coded('String', 'ZSTD(3)', 'Body of the request.'),
    error: column('String', 'Error of the last attempt.'),
    state: column(
      "Enum8('open' = 0, 'due' = 1, 'delivered' = 2)",
      'open: not retried; due: a retry was requested; delivered.',
    ),
    at: AT,
  },
});

/** Tables of the database of the network. Those of keys and webhooks moved to the database of secrets. */
export const HOOK_TARGETS: readonly Target[] = [
  buildStored(API_KEYS, { orderBy: API_KEYS.key }),
  buildStored(HOOKS, { orderBy: HOOKS.key }),
  buildStored(HOOK_POSITIONS, { engine: 'ReplacingMergeTree(at)', orderBy: HOOK_POSITIONS.key }),
  buildStored(HOOK_DEAD_LETTERS, { engine: 'ReplacingMergeTree(at)', orderBy: HOOK_DEAD_LETTERS.key }),
];

/** Tables of the database of secrets. */
export const SECRET_TARGETS: readonly Target[] = [API_KEYS, HOOKS, SQL_USERS].map((table) =>
  buildStored(table, { orderBy: table.key, database: 'secrets' }),
);
