import { toUrl } from '../api/request.ts';
import type { Described, Transaction } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { groupDigits } from '../format/amount.ts';
import { toWords } from '../format/text.ts';
import { Fields, Panel, Sources } from '../parts/layout.tsx';
import { Notice, Shown } from '../parts/notice.tsx';
import { Address, Badge, Currencies, Hash, hasCurrencies, Ton, When } from '../parts/text.tsx';
import { BlockLink } from './block-list.tsx';
import { MessageFields } from './message-fields.tsx';
import { isAborted } from './transaction-list.tsx';

/** A transaction: `#/transaction/HASH`. */
export function TransactionView({ values: [hash = ''] }: { readonly values: readonly string[] }) {
  const parameters = { hash };
  const loaded = useAnswer('/api/v3/transactions', parameters);
  return (
    <>
      <h1>Transaction</h1>
      <Shown loaded={loaded}>
        {(answer) => {
          const transaction = answer.transactions[0] as Transaction | undefined;
          if (!transaction) return <Notice>The index has no such transaction.</Notice>;
          return <Parts transaction={transaction} names={answer} />;
        }}
      </Shown>
      <Sources urls={[toUrl('/api/v3/transactions', parameters)]} />
    </>
  );
}

function Parts({ transaction, names }: { readonly transaction: Transaction; readonly names: Described }) {
  const { in_msg, out_msgs } = transaction;
  return (
    <>
      <Panel
        title="Fields"
        aside={
          <Badge kind={isAborted(transaction) ? 'bad' : 'good'}>
            {isAborted(transaction) ? 'failed' : 'succeeded'}
          </Badge>
        }
      >
        <Overview transaction={transaction} names={names} />
      </Panel>
      <Phases description={transaction.description} />
      {in_msg && (
        <Panel title="Incoming message">
          <MessageFields message={in_msg} names={names} />
        </Panel>
      )}
      {out_msgs.map((message, at) => (
        <Panel key={message.hash} title={`Outgoing message ${at + 1} of ${out_msgs.length}`}>
          <MessageFields message={message} names={names} />
        </Panel>
      ))}
    </>
  );
}

function Overview({
  transaction: one,
  names,
}: {
  readonly transaction: Transaction;
  readonly names: Described;
}) {
  const { account_state_before: before, account_state_after: after } = one;
  return (
    <Fields
      rows={[
        ['Account', <Address key="account" address={one.account} names={names} isFull />],
        ['Time', <When key="time" unix={one.now} />],
        ['Trace', one.trace_id ? <Hash key="trace" hash={one.trace_id} to="trace" /> : 'not known yet'],
        [
          'Status',
          one.orig_status === one.end_status ? one.end_status : `${one.orig_status} → ${one.end_status}`,
        ],
        ['Fees', <Ton key="fees" value={one.total_fees} />],
        hasCurrencies(one.total_fees_extra_currencies) && [
          'Fees in extra currencies',
          <Currencies key="fees-extra" values={one.total_fees_extra_currencies} />,
        ],
        before.balance != null && ['Balance before', <Ton key="before" value={before.balance} />],
        after.balance != null && ['Balance after', <Ton key="after" value={after.balance} />],
        hasCurrencies(after.extra_currencies) && [
          'Extra currencies after',
          <Currencies key="after-extra" values={after.extra_currencies} />,
        ],
        ['Logical time', groupDigits(one.lt)],
        ['Block', <BlockLink key="block" block={one.block_ref} />],
        [
          'Masterchain block',
          <BlockLink
            key="master"
            block={{ workchain: -1, shard: '8000000000000000', seqno: one.mc_block_seqno }}
          />,
        ],
        ['Hash', <Hash key="hash" hash={one.hash} isFull />],
        ['Previous', <Hash key="previous" hash={one.prev_trans_hash} to="transaction" />],
        ['Previous logical time', groupDigits(one.prev_trans_lt)],
        one.trace_external_hash && [
          'External message of the trace',
          <Hash key="external" hash={one.trace_external_hash} to="message" />,
        ],
        ['State before', <Hash key="state-before" hash={before.hash} isFull />],
        ['State after', <Hash key="state-after" hash={after.hash} isFull />],
        after.code_hash && ['Code hash', <Hash key="code" hash={after.code_hash} isFull />],
        after.frozen_hash && ['Frozen hash', <Hash key="frozen" hash={after.frozen_hash} isFull />],
        after.data_hash && ['Data hash', <Hash key="data" hash={after.data_hash} isFull />],
        ['Finality', one.finality],
      ]}
    />
  );
}

const PHASES: Readonly<Record<string, string>> = {
  storage_ph: 'Storage phase',
  credit_ph: 'Credit phase',
  compute_ph: 'Compute phase',
  action: 'Action phase',
  bounce: 'Bounce phase',
};
/** Fields of phases in nanotons. */
const AMOUNT = /(^|_)fees?($|_)|^credit$/;

/** The phases in their order, with every field. */
function Phases({ description }: { readonly description: Transaction['description'] }) {
  const fields = Object.entries(description);
  const plain = fields.filter(([name]) => !Object.hasOwn(PHASES, name));
  return (
    <div class="phases">
      <Panel title="Description">
        <PhaseFields fields={plain} />
      </Panel>
      {fields
        .filter(([name, value]) => Object.hasOwn(PHASES, name) && value !== null && value !== undefined)
        .map(([name, value]) => (
          <Panel key={name} title={PHASES[name] ?? name}>
            <PhaseFields fields={Object.entries(value as object)} />
          </Panel>
        ))}
    </div>
  );
}

function PhaseFields({ fields }: { readonly fields: readonly (readonly [string, unknown])[] }) {
  return (
    <Fields
      rows={fields.map(([name, value]) => [
        toWords(name),
        <PhaseValue key={name} name={name} value={value} />,
      ])}
    />
  );
}

function PhaseValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'object') return <code>{JSON.stringify(value)}</code>;
  const text = String(value);
  if (name.endsWith('_hash')) return <Hash hash={text} />;
  if (AMOUNT.test(name) && /^\d+$/.test(text)) return <Ton value={text} />;
  return <>{/^\d+$/.test(text) ? groupDigits(text) : text}</>;
}
