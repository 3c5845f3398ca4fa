import type { RowMaker, RowStart } from '../../engine/projection/row-maker.ts';
import type { RowParts, RowSet } from '../../engine/projection/row-set.ts';
import { AvroCodec } from '../../platform/avro/avro-codec.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import { DETECTION_TABLES } from '../../tables/detections.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import { TOKEN_KINDS, type TokenKind } from '../../ton/contracts/token-state.ts';
import { UNKNOWN_OUTCOME } from '../../ton/contracts/unknown-outcome.ts';
import { type AccountAddress, toAccountName } from '../../ton/store/store-address.ts';
import { unpackRecords } from '../records/pack-records.ts';
import { SCHEMAS } from '../records/schemas.ts';
import { KnownRows } from '../tokens/known-rows.ts';
import { loadTokens } from '../tokens/load-tokens.ts';
import type { TokenRow } from '../tokens/token-row.ts';
import { TokenTable } from '../tokens/token-table.ts';
import type { RecordedOutcome } from './outcome-record.ts';

const ZEROS = new Uint8Array(32);
const text = (value: string): Buffer => Buffer.from(value, 'utf8');

type RecordedToken = NonNullable<RecordedOutcome['token']>;
type RecordedContract = NonNullable<RecordedOutcome['contract']>;
type RecordedAddress = NonNullable<RecordedToken['owner']>;

const NO_TOKEN: RecordedToken = {
  amount: '0',
  flag: false,
  owner: null,
  parent: null,
  child_code: ZEROS,
  content: null,
};
const NO_CONTRACT: RecordedContract = { owner: null, parent: null, details: '{}', keys: [] };
const ZERO_ADDRESS: RecordedAddress = { workchain: 0, account: ZEROS };

/** The outcome of a token's kind, and the masterchain step of its record. */
interface TokenOutcome {
  readonly position: number;
  readonly kind: TokenKind;
  readonly outcome: RecordedOutcome;
}

/**
 * Makes rows of recorded outcomes: each as its record has it, and detected tokens as states of `token_states`. Such a
 * state follows from the one before it, which is read from the table.
 */
export class OutcomeMaker implements RowMaker {
  readonly known = new KnownRows<TokenRow>(({ account, kind }) => `${toAccountName(account)} ${kind}`);
  readonly #codec = new AvroCodec(loadSchemas(SCHEMAS));
  readonly #start: RowStart;
  #confirmed: number;

  constructor(start: RowStart) {
    this.#start = start;
    this.#confirmed = start.next - 1;
  }

  createRowSet = (): RowSet => new OutcomeRows(this);

  async prepare(parts: readonly RowParts[]): Promise<void> {
    this.known.evict(this.#confirmed);
    const outcomes = parts.flatMap((part) => this.records(part).flatMap((record) => record.outcomes));
    const missing = this.known.missing(new Set(outcomes.map(toName)));
    const accounts = [...new Set(missing.map((name) => name.split(' ')[0] as string))];
    const until = { upTo: this.#confirmed, by: 'account, kind' } as const;
    this.known.load(missing, this.#confirmed < 0 ? [] : await loadTokens(this.#start, accounts, until));
  }

  confirmed(position: number): void {
    this.#confirmed = Math.max(this.#confirmed, position);
  }

  records(parts: RowParts) {
    return unpackRecords(parts).map((record) => this.#codec.decodeAs('detections', record).value);
  }
}

function toName({ workchain, account, kind }: RecordedOutcome): string {
  return `${toAccountName({ workchain, address: account })} ${kind}`;
}

class OutcomeRows implements RowSet {
  readonly tables;
  readonly #maker: OutcomeMaker;
  readonly #outcomes = new TableBuilder('token_outcomes', DETECTION_TABLES.token_outcomes);
  readonly #contracts = new TableBuilder('contract_outcomes', DETECTION_TABLES.contract_outcomes);
  readonly #tokens = new TokenTable(0);

  constructor(maker: OutcomeMaker) {
    this.#maker = maker;
    this.tables = [this.#outcomes, this.#tokens.builder, this.#contracts];
  }

  append(parts: RowParts): void {
    for (const { mc_seqno, outcomes } of this.#maker.records(parts))
      for (const outcome of outcomes) this.#add(Number(mc_seqno), outcome);
  }

  reset(): void {
    for (const table of this.tables) table.reset();
  }

  #add(position: number, outcome: RecordedOutcome): void {
    const kind = TOKEN_KINDS.find((one) => one === outcome.kind);
    if (kind) this.#addOutcome({ position, kind, outcome });
    else this.#addContract(position, outcome);
    if (kind && !outcome.reason.startsWith(UNKNOWN_OUTCOME)) this.#addToken({ position, kind, outcome });
  }

  #addOutcome({ position, kind, outcome }: TokenOutcome): void {
    const { col } = this.#outcomes;
    const token = outcome.token ?? NO_TOKEN;
    pushState(col, position, outcome);
    col.kind.push(TOKEN_KINDS.indexOf(kind));
    col.amount.push(BigInt.asUintN(256, BigInt(token.amount)));
    col.flag.push(token.flag);
    pushParties(col, token);
    col.child_code.push(token.child_code);
    col.content.push(text(token.content ?? ''));
    this.#outcomes.endRow();
  }

  /** Adds the state of a token, or the end of one. */
  #addToken(found: TokenOutcome): void {
    const { known } = this.#maker;
    const before = known.get(toName(found.outcome));
    const isOlder = before && found.outcome.lt <= before.lt;
    const row = isOlder ? null : toTokenRow(found, before);
    if (!row) return;
    // Records have no times.
    this.#tokens.add(row, before, 0);
    known.set(row);
  }

  #addContract(position: number, outcome: RecordedOutcome): void {
    const { col } = this.#contracts;
    const contract = outcome.contract ?? NO_CONTRACT;
    pushState(col, position, outcome);
    col.kind.push(text(outcome.kind));
    pushParties(col, contract);
    col.details.push(text(contract.details));
    const keys = contract.keys.map(({ role, workchain, account }) => [
      role,
      workchain,
      Buffer.from(account).toString('hex'),
    ]);
    col.keys.push(text(JSON.stringify(keys)));
    this.#contracts.endRow();
  }
}

type Tables = typeof DETECTION_TABLES;
type Columns =
  | TableBuilder<Tables['token_outcomes']>['col']
  | TableBuilder<Tables['contract_outcomes']>['col'];

/** The state that an outcome is; null for a refusal of what was no token. */
function toTokenRow(
  { position, kind, outcome }: TokenOutcome,
  before: TokenRow | undefined,
): TokenRow | null {
  const { token, lt } = outcome;
  const wasToken = before && !before.isGone;
  // Loaded rows have no hash of their content: an ended token has none, so that each way gives the same row.
  if (!token) return wasToken ? { ...before, position, lt, isGone: true, content: null } : null;
  return {
    ...{ position, kind, lt, flag: token.flag, isGone: false, link: '' },
    account: { workchain: outcome.workchain, address: outcome.account },
    since: wasToken ? before.since : position,
    codeHash: outcome.code_hash,
    dataHash: outcome.data_hash,
    amount: BigInt(token.amount),
    owner: toAddress(token.owner),
    parent: toAddress(token.parent),
    // The parent of a wallet or an item confirmed the account itself, whatever code it names.
    childCode: kind === 'jetton_master' ? token.child_code : ZEROS,
    content: { hash: ZEROS, json: token.content },
  };
}

function toAddress(recorded: RecordedAddress | null): AccountAddress | null {
  return recorded && { workchain: recorded.workchain, address: recorded.account };
}

function pushState(col: Columns, position: number, outcome: RecordedOutcome): void {
  col.mc_seqno.push(position);
  col.state_seqno.push(Number(outcome.state_seqno));
  col.workchain.push(outcome.workchain);
  col.account.push(outcome.account);
  col.lt.push(outcome.lt);
  col.code_hash.push(outcome.code_hash);
  col.data_hash.push(outcome.data_hash);
  col.reason.push(text(outcome.reason));
}

function pushParties(col: Columns, { owner, parent }: Pick<RecordedToken, 'owner' | 'parent'>): void {
  col.has_owner.push(owner !== null);
  col.owner_workchain.push((owner ?? ZERO_ADDRESS).workchain);
  col.owner.push((owner ?? ZERO_ADDRESS).account);
  col.has_parent.push(parent !== null);
  col.parent_workchain.push((parent ?? ZERO_ADDRESS).workchain);
  col.parent.push((parent ?? ZERO_ADDRESS).account);
}
