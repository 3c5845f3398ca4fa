import { metaDatabase } from '../../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock } from '../../../platform/clickhouse/native-format.ts';
import { TableBuilder } from '../../../ton/columns/table-builder.ts';
import type {
  Candidate,
  DetectedSale,
  DetectionOutcome,
  DetectionStore,
  OutcomeRows,
  SaleKind,
} from './detection.ts';

/** Columns of `detected_contracts` of the network's database. */
const CONTRACTS = {
  mc_seqno: 'UInt32',
  workchain: 'Int32',
  account: 'FixedString(32)',
  kind: 'String',
  lt: 'UInt64',
  code_hash: 'FixedString(32)',
  data_hash: 'FixedString(32)',
  reason: 'String',
  has_owner: 'Bool',
  owner_workchain: 'Int32',
  owner: 'FixedString(32)',
  has_parent: 'Bool',
  parent_workchain: 'Int32',
  parent: 'FixedString(32)',
  details: 'String',
} as const;

const NOBODY = { workchain: 0, address: new Uint8Array(32) };
const NO_SALE: Omit<DetectedSale, 'kind'> = { owner: null, parent: null, details: {} };

/** What get methods say of sales, auctions and items of Telegram, on its way into the store. */
export class SaleRows implements OutcomeRows<SaleKind, DetectedSale> {
  readonly #table = new TableBuilder('detected_contracts', CONTRACTS);

  add(candidate: Candidate, kind: SaleKind, outcome: DetectionOutcome<DetectedSale>): void {
    const { col } = this.#table;
    const { owner, parent, details } = 'found' in outcome ? outcome.found : NO_SALE;
    col.mc_seqno.push(candidate.position);
    col.workchain.push(candidate.account.workchain);
    col.account.push(candidate.account.address);
    col.kind.push(Buffer.from(kind));
    col.lt.push(candidate.lt);
    col.code_hash.push(candidate.codeHash);
    col.data_hash.push(candidate.dataHash);
    col.reason.push(Buffer.from('reason' in outcome ? outcome.reason : ''));
    col.has_owner.push(owner !== null);
    col.owner_workchain.push((owner ?? NOBODY).workchain);
    col.owner.push((owner ?? NOBODY).address);
    col.has_parent.push(parent !== null);
    col.parent_workchain.push((parent ?? NOBODY).workchain);
    col.parent.push((parent ?? NOBODY).address);
    col.details.push(Buffer.from(JSON.stringify(details)));
    this.#table.endRow();
  }

  async flush({ client, network }: DetectionStore): Promise<void> {
    if (this.#table.rows === 0) return;
    const target = `${metaDatabase(network)}.${this.#table.name}`;
    await client.insertNative(target, encodeNativeBlock(this.#table), { route: 'contracts/detections' });
    this.#table.reset();
  }
}
