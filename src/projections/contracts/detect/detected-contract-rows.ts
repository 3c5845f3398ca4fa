import { TableBuilder } from '../../../ton/columns/table-builder.ts';
import type { ContractKey } from '../../../ton/contracts/contract-state.ts';
import type {
  CheckedState,
  DetectedContract,
  DetectedContractKind,
  DetectionOutcome,
  DetectionStore,
  OutcomeRows,
} from './detection.ts';
import { flushOutcomes } from './flush-outcomes.ts';

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

/** Columns of `detected_contract_keys`: accounts by which such contracts are found. */
const KEYS = {
  role: 'String',
  key_workchain: 'Int32',
  key: 'FixedString(32)',
  workchain: 'Int32',
  account: 'FixedString(32)',
} as const;

const ZERO_ADDRESS = { workchain: 0, address: new Uint8Array(32) };
const NO_CONTRACT: Omit<DetectedContract, 'kind'> = { owner: null, parent: null, details: {} };

/** Outcomes of get methods of contracts that are no tokens, on their way into the store. */
export class DetectedContractRows implements OutcomeRows<DetectedContractKind, DetectedContract> {
  readonly #table = new TableBuilder('detected_contracts', CONTRACTS);
  readonly #keys = new TableBuilder('detected_contract_keys', KEYS);

  add(
    candidate: CheckedState,
    kind: DetectedContractKind,
    outcome: DetectionOutcome<DetectedContract>,
  ): void {
    const { col } = this.#table;
    const { owner, parent, details, keys = [] } = 'found' in outcome ? outcome.found : NO_CONTRACT;
    col.mc_seqno.push(candidate.position);
    col.workchain.push(candidate.account.workchain);
    col.account.push(candidate.account.address);
    col.kind.push(Buffer.from(kind));
    col.lt.push(candidate.lt);
    col.code_hash.push(candidate.codeHash);
    col.data_hash.push(candidate.dataHash);
    col.reason.push(Buffer.from('reason' in outcome ? outcome.reason : ''));
    col.has_owner.push(owner !== null);
    col.owner_workchain.push((owner ?? ZERO_ADDRESS).workchain);
    col.owner.push((owner ?? ZERO_ADDRESS).address);
    col.has_parent.push(parent !== null);
    col.parent_workchain.push((parent ?? ZERO_ADDRESS).workchain);
    col.parent.push((parent ?? ZERO_ADDRESS).address);
    col.details.push(Buffer.from(JSON.stringify(details)));
    this.#table.endRow();
    for (const key of keys) this.#addKey(candidate, key);
  }

  #addKey({ account }: CheckedState, { role, account: key }: ContractKey): void {
    const { col } = this.#keys;
    col.role.push(Buffer.from(role));
    col.key_workchain.push(key.workchain);
    col.key.push(key.address);
    col.workchain.push(account.workchain);
    col.account.push(account.address);
    this.#keys.endRow();
  }

  flush(store: DetectionStore): Promise<void> {
    return flushOutcomes(store, this.#keys, this.#table);
  }
}
