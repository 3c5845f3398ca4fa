import type { Described, Transaction } from '../api/types.ts';
import { Table } from '../parts/layout.tsx';
import { Address, Badge, ChainText, Hash, Ton, When } from '../parts/text.tsx';

/** True if the transaction was aborted. */
export function isAborted({ description }: Transaction): boolean {
  return 'aborted' in description && description.aborted === true;
}

/** What a transaction did, by the name of its incoming message. */
export function toCause({ in_msg, description }: Transaction): string {
  if (!in_msg) return description.type.replaceAll('_', '-');
  // The first bytes of an external message are mostly of a signature.
  if (in_msg.source === null) return in_msg.decoded_opcode ?? 'external message';
  return in_msg.decoded_opcode ?? in_msg.opcode ?? 'transfer';
}

export interface TransactionListProps {
  readonly label: string;
  readonly transactions: readonly Transaction[];
  readonly names: Described;
  /** False leaves the account out: all rows are of one. */
  readonly hasAccount?: boolean;
}

export function TransactionList({ label, transactions, names, hasAccount = true }: TransactionListProps) {
  return (
    <Table
      label={label}
      heads={[
        'Transaction',
        ...(hasAccount ? ['Account'] : []),
        'From',
        'Cause',
        '#In, TON',
        '#Out, TON',
        '#Age',
      ]}
      rows={transactions.map((one) => ({
        key: one.hash,
        cells: [
          <Hash key="hash" hash={one.hash} to="transaction" />,
          ...(hasAccount ? [<Address key="account" address={one.account} names={names} />] : []),
          one.in_msg?.source ? (
            <Address key="from" address={one.in_msg.source} names={names} />
          ) : (
            <span class="none">{one.in_msg ? 'outside' : 'none'}</span>
          ),
          <span key="cause">
            <ChainText text={toCause(one)} length={40} /> {isAborted(one) && <Badge kind="bad">failed</Badge>}
          </span>,
          one.in_msg?.value ? <Ton key="in" value={one.in_msg.value} isAligned /> : '–',
          one.out_msgs.length === 0 ? '–' : <Ton key="out" value={sumValues(one)} isAligned />,
          <When key="age" unix={one.now} isShort />,
        ],
      }))}
    />
  );
}

function sumValues({ out_msgs }: Transaction): string {
  return out_msgs.reduce((sum, { value }) => sum + BigInt(value ?? 0), 0n).toString();
}
