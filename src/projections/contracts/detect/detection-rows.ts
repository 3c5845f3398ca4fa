import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock } from '../../../platform/clickhouse/native-format.ts';
import { TableBuilder } from '../../../ton/columns/table-builder.ts';
import { TOKEN_KINDS, type TokenKind } from '../../../ton/contracts/token-state.ts';
import { TOKEN_KIND } from '../contract-columns.ts';
import type { Candidate, DetectedToken, DetectionOutcome } from './detection.ts';
import type { DetectionStore } from './detection-queue.ts';

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

const ZEROS = new Uint8Array(32);
const NOBODY = { workchain: 0, address: ZEROS };
const NO_TOKEN: Omit<DetectedToken, 'kind'> = {
  amount: 0n,
  flag: false,
  owner: null,
  parent: null,
  childCode: ZEROS,
  content: null,
};

/** Outcomes of detection on their way into the store. */
export class DetectionRows {
  readonly #table = new TableBuilder('detections', DETECTIONS);

  add(candidate: Candidate, kind: TokenKind, outcome: DetectionOutcome): void {
    const { col } = this.#table;
    const token = 'token' in outcome ? outcome.token : NO_TOKEN;
    const [owner, parent] = [token.owner ?? NOBODY, token.parent ?? NOBODY];
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
  }

  async flush({ client, network }: DetectionStore): Promise<void> {
    if (this.#table.rows === 0) return;
    const target = `${metaDatabase(network)}.detections`;
    await client.insertNative(target, encodeNativeBlock(this.#table), { route: 'contracts/detections' });
    this.#table.reset();
  }
}
