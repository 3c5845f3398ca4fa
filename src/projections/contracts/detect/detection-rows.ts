import { TOKEN_KIND } from '../../../tables/contract-types.ts';
import { TableBuilder } from '../../../ton/columns/table-builder.ts';
import { TOKEN_KINDS, type TokenKind } from '../../../ton/contracts/token-state.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import type {
  CheckedState,
  DetectedToken,
  DetectionOutcome,
  DetectionStore,
  OutcomeRows,
} from './detection.ts';
import { flushOutcomes } from './flush-outcomes.ts';

/** Columns of `detections` of the network's database. */
const DETECTIONS = {
  mc_seqno: 'UInt32',
  workchain: 'Int32',
  account: 'FixedString(32)',
  kind: TOKEN_KIND,
  lt: 'UInt64',
  code_hash: 'FixedString(32)',
  data_hash: 'FixedString(32)',
  reason: 'String',
  amount: 'UInt256',
  flag: 'Bool',
  has_owner: 'Bool',
  owner_workchain: 'Int32',
  owner: 'FixedString(32)',
  has_parent: 'Bool',
  parent_workchain: 'Int32',
  parent: 'FixedString(32)',
  child_code: 'FixedString(32)',
  content: 'String',
} as const;

/** Columns of `detected_keys`: accounts by which detected tokens are found. */
const KEYS = {
  since: 'UInt32',
  role: "Enum8('account' = 0, 'owner' = 1, 'parent' = 2)",
  key_workchain: 'Int32',
  key: 'FixedString(32)',
  kind: TOKEN_KIND,
  workchain: 'Int32',
  account: 'FixedString(32)',
} as const;
const ROLES = ['account', 'owner', 'parent'] as const;

const ZEROS = new Uint8Array(32);
const ZERO_ADDRESS = { workchain: 0, address: ZEROS };
const NO_TOKEN: Omit<DetectedToken, 'kind'> = {
  amount: 0n,
  flag: false,
  owner: null,
  parent: null,
  childCode: ZEROS,
  content: null,
};

/** Outcomes of get methods of tokens, on their way into the store. */
export class TokenRows implements OutcomeRows<TokenKind, DetectedToken> {
  readonly #table = new TableBuilder('detections', DETECTIONS);
  readonly #keys = new TableBuilder('detected_keys', KEYS);

  add(candidate: CheckedState, kind: TokenKind, outcome: DetectionOutcome): void {
    const { col } = this.#table;
    const token = 'found' in outcome ? outcome.found : NO_TOKEN;
    const [owner, parent] = [token.owner ?? ZERO_ADDRESS, token.parent ?? ZERO_ADDRESS];
    col.mc_seqno.push(candidate.position);
    col.workchain.push(candidate.account.workchain);
    col.account.push(candidate.account.address);
    col.kind.push(TOKEN_KINDS.indexOf(kind));
    col.lt.push(candidate.lt);
    col.code_hash.push(candidate.codeHash);
    col.data_hash.push(candidate.dataHash);
    col.reason.push(Buffer.from('reason' in outcome ? outcome.reason : ''));
    col.amount.push(BigInt.asUintN(256, token.amount));
    col.flag.push(token.flag);
    col.has_owner.push(token.owner !== null);
    col.owner_workchain.push(owner.workchain);
    col.owner.push(owner.address);
    col.has_parent.push(token.parent !== null);
    col.parent_workchain.push(parent.workchain);
    col.parent.push(parent.address);
    col.child_code.push(token.childCode);
    col.content.push(Buffer.from(token.content ?? ''));
    this.#table.endRow();
    if ('reason' in outcome) return;
    this.#addKey(candidate, kind, 'account', candidate.account);
    if (token.owner) this.#addKey(candidate, kind, 'owner', token.owner);
    if (token.parent) this.#addKey(candidate, kind, 'parent', token.parent);
  }

  #addKey(
    { position, account }: CheckedState,
    kind: TokenKind,
    role: (typeof ROLES)[number],
    key: AccountAddress,
  ): void {
    const { col } = this.#keys;
    col.since.push(position);
    col.role.push(ROLES.indexOf(role));
    col.key_workchain.push(key.workchain);
    col.key.push(key.address);
    col.kind.push(TOKEN_KINDS.indexOf(kind));
    col.workchain.push(account.workchain);
    col.account.push(account.address);
    this.#keys.endRow();
  }

  flush(store: DetectionStore): Promise<void> {
    return flushOutcomes(store, this.#keys, this.#table);
  }
}
