import { type RowMaker, statelessRows } from '../../engine/projection/row-maker.ts';
import type { RowParts, RowSet } from '../../engine/projection/row-set.ts';
import { AvroCodec } from '../../platform/avro/avro-codec.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import { DETECTION_TABLES } from '../../tables/detections.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import { TOKEN_KINDS, type TokenKind } from '../../ton/contracts/token-state.ts';
import { unpackRecords } from '../records/pack-records.ts';
import { SCHEMAS } from '../records/schemas.ts';
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

/** Makes rows of recorded outcomes. Stateless: a row has what its record has. */
export function detectionsMaker(): RowMaker {
  const codec = new AvroCodec(loadSchemas(SCHEMAS));
  return statelessRows(() => new OutcomeRows(codec));
}

class OutcomeRows implements RowSet {
  readonly tables;
  readonly #codec: AvroCodec;
  readonly #tokens = new TableBuilder('token_outcomes', DETECTION_TABLES.token_outcomes);
  readonly #contracts = new TableBuilder('contract_outcomes', DETECTION_TABLES.contract_outcomes);

  constructor(codec: AvroCodec) {
    this.#codec = codec;
    this.tables = [this.#tokens, this.#contracts];
  }

  append(parts: RowParts): void {
    for (const record of unpackRecords(parts)) {
      const { value } = this.#codec.decodeAs('detections', record);
      for (const outcome of value.outcomes) this.#add(Number(value.mc_seqno), outcome);
    }
  }

  reset(): void {
    for (const table of this.tables) table.reset();
  }

  #add(position: number, outcome: RecordedOutcome): void {
    const kind = TOKEN_KINDS.indexOf(outcome.kind as TokenKind);
    if (kind >= 0) this.#addToken(position, kind, outcome);
    else this.#addContract(position, outcome);
  }

  #addToken(position: number, kind: number, outcome: RecordedOutcome): void {
    const { col } = this.#tokens;
    const token = outcome.token ?? NO_TOKEN;
    pushState(col, position, outcome);
    col.kind.push(kind);
    col.amount.push(BigInt.asUintN(256, BigInt(token.amount)));
    col.flag.push(token.flag);
    pushParties(col, token);
    col.child_code.push(token.child_code);
    col.content.push(text(token.content ?? ''));
    this.#tokens.endRow();
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
