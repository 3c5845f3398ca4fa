import type { DecodeRecords } from '../../engine/decoding/chunk.ts';
import { TableView } from '../../ton/kernel/table-view.ts';
import { createPackingDecoder, type KernelDecoderOptions } from '../records/kernel-decoder.ts';
import { ownPart } from './own-part.ts';
import { FactWriter } from './pack-facts.ts';
import { stateFacts } from './state-facts.ts';
import { transferFacts } from './transfer-facts.ts';

export interface ContractDecoderOptions extends KernelDecoderOptions {
  /** The index lacks states: cells that states leave out are named. */
  readonly namesAbsent: boolean;
}

/** The decoder of the log's records that reads token contracts from the cells of accounts, and what messages move. */
export function createDecoder(options: ContractDecoderOptions): Promise<DecodeRecords> {
  const facts = new FactWriter();
  return createPackingDecoder(options, (decoded, spare, share) => {
    const isOwn = ownPart(share);
    const tables = TableView.all(decoded);
    const [states, messages, transactions] = [
      tables.get('account_states'),
      tables.get('messages'),
      tables.get('transactions'),
    ];
    const { namesAbsent } = options;
    if (states)
      for (const fact of stateFacts(states, tables.get('account_cells'), { namesAbsent, isOwn }))
        facts.add(fact);
    if (messages && transactions)
      for (const fact of transferFacts(messages, transactions, isOwn)) facts.add(fact);
    return facts.take(spare);
  });
}
