import type { DecodeRecords } from '../../engine/decoding/chunk.ts';
import { TableView } from '../../ton/kernel/table-view.ts';
import {
  createDecoder as createKernelDecoder,
  type KernelDecoderOptions,
} from '../records/kernel-decoder.ts';
import { FactWriter } from './pack-facts.ts';
import { stateFacts } from './state-facts.ts';
import { transferFacts } from './transfer-facts.ts';

export interface ContractDecoderOptions extends KernelDecoderOptions {
  /** The index lacks states: cells that states leave out are named. */
  readonly namesAbsent: boolean;
}

/** The decoder of the log's records that reads token contracts from the cells of accounts, and what messages move. */
export async function createDecoder(options: ContractDecoderOptions): Promise<DecodeRecords> {
  const decode = await createKernelDecoder(options);
  const facts = new FactWriter();
  let own: ArrayBuffer | null = null;
  return (records, spare) => {
    const { outcomes, parts } = decode(records, own);
    own = parts.buffer;
    const tables = TableView.all(parts);
    const [states, messages, transactions] = [
      tables.get('account_states'),
      tables.get('messages'),
      tables.get('transactions'),
    ];
    if (states)
      for (const fact of stateFacts(states, tables.get('account_cells'), options.namesAbsent))
        facts.add(fact);
    if (messages && transactions) for (const fact of transferFacts(messages, transactions)) facts.add(fact);
    return { outcomes, parts: facts.take(spare) };
  };
}
