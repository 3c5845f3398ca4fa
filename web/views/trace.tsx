import { toUrl } from '../api/request.ts';
import type { Action, Described, Message, Trace, Transaction } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { groupDigits } from '../format/amount.ts';
import { Fields, Panel, Sources } from '../parts/layout.tsx';
import { Notice, Shown } from '../parts/notice.tsx';
import { Address, Badge, ChainText, Hash, Ton, When } from '../parts/text.tsx';
import { ActionList } from './action-list.tsx';
import { isAborted, toCause } from './transaction-list.tsx';

/** A trace: `#/trace/HASH`, the hash of its first transaction. */
export function TraceView({ values: [hash = ''] }: { readonly values: readonly string[] }) {
  const parameters = { trace_id: hash, include_actions: true };
  const loaded = useAnswer('/api/v3/traces', parameters);
  return (
    <>
      <h1>Trace</h1>
      <Shown loaded={loaded}>
        {(answer) =>
          answer.traces[0] ? (
            <Parts trace={answer.traces[0]} names={answer} />
          ) : (
            <Notice>The index has no such trace.</Notice>
          )
        }
      </Shown>
      <Sources urls={[toUrl('/api/v3/traces', parameters)]} />
    </>
  );
}

function Parts({ trace, names }: { readonly trace: Trace; readonly names: Described }) {
  const actions = (trace.actions ?? []) as readonly Action[];
  const { trace_info: info } = trace;
  return (
    <>
      <Panel title="Actions">
        {actions.length === 0 ? (
          <Notice>No action was recognised.</Notice>
        ) : (
          <ActionList actions={actions} names={names} />
        )}
      </Panel>
      <Panel
        title="Tree"
        aside={<Badge kind={info.trace_state === 'complete' ? 'good' : 'plain'}>{info.trace_state}</Badge>}
      >
        {trace.trace && trace.transactions ? (
          <ul class="tree">
            <TreeNode node={trace.trace} trace={trace} names={names} />
          </ul>
        ) : (
          <Notice>{trace.warning ?? 'The tree is not known.'}</Notice>
        )}
      </Panel>
      <Panel title="Fields">
        <Fields
          rows={[
            ['Start', <When key="start" unix={trace.start_utime} />],
            trace.end_utime !== null && ['End', <When key="end" unix={trace.end_utime} />],
            ['Transactions', groupDigits(info.transactions)],
            ['Messages', groupDigits(info.messages)],
            info.pending_messages > 0 && ['Pending messages', groupDigits(info.pending_messages)],
            [
              'Masterchain blocks',
              `${groupDigits(trace.mc_seqno_start)} – ${groupDigits(trace.mc_seqno_end)}`,
            ],
            ['Classification', info.classification_state],
            ['Trace', <Hash key="trace" hash={trace.trace_id} isFull />],
            trace.external_hash && [
              'External message',
              <Hash key="external" hash={trace.external_hash} to="message" />,
            ],
          ]}
        />
      </Panel>
    </>
  );
}

interface TreeNodeProps {
  readonly node: NonNullable<Trace['trace']>;
  readonly trace: Trace;
  readonly names: Described;
}

/** A node of the tree as the API sends it. */
type Node = { readonly tx_hash: string; readonly children: readonly Node[] | null };

function TreeNode({ node, trace, names }: TreeNodeProps) {
  const transaction = trace.transactions?.[node.tx_hash] as Transaction | undefined;
  const children = (node.children ?? []) as readonly Node[];
  const received = new Set(
    children.map(({ tx_hash }) => (trace.transactions?.[tx_hash] as Transaction | undefined)?.in_msg?.hash),
  );
  const unreceived = transaction?.out_msgs.filter(({ hash }) => !received.has(hash)) ?? [];
  return (
    <li>
      {transaction ? (
        <NodeLine transaction={transaction} names={names} />
      ) : (
        <Hash hash={node.tx_hash} to="transaction" />
      )}
      {(children.length > 0 || unreceived.length > 0) && (
        <ul>
          {children.map((child) => (
            <TreeNode key={child.tx_hash} node={child as TreeNodeProps['node']} trace={trace} names={names} />
          ))}
          {unreceived.map((message) => (
            <UnreceivedLine key={message.hash} message={message} names={names} />
          ))}
        </ul>
      )}
    </li>
  );
}

function NodeLine({ transaction, names }: { readonly transaction: Transaction; readonly names: Described }) {
  const compute = transaction.description.compute_ph;
  const { in_msg } = transaction;
  return (
    <div class="node">
      <a class="opcode" href={`#/transaction/${encodeURIComponent(transaction.hash)}`}>
        <ChainText text={toCause(transaction)} length={40} />
      </a>
      <Address address={transaction.account} names={names} />
      {in_msg?.value && <Ton value={in_msg.value} />}
      {compute?.gas_used !== undefined && (
        <span class="gas">{groupDigits(String(compute.gas_used))} gas</span>
      )}
      {isAborted(transaction) && <Badge kind="bad">{`failed${toExit(compute)}`}</Badge>}
      {in_msg?.bounced && <Badge kind="bad">bounced</Badge>}
    </div>
  );
}

function toExit(compute: Transaction['description']['compute_ph']): string {
  if (compute?.skipped === true) return `, skipped: ${String(compute.reason).replaceAll('_', ' ')}`;
  return compute?.exit_code === undefined || compute.exit_code === 0
    ? ''
    : `, exit code ${compute.exit_code}`;
}

/** A message that no transaction received: one to the outside, or a pending one. */
function UnreceivedLine({ message, names }: { readonly message: Message; readonly names: Described }) {
  return (
    <li>
      <div class="node">
        <a class="opcode" href={`#/message/${encodeURIComponent(message.hash)}`}>
          <ChainText text={message.decoded_opcode ?? message.opcode ?? 'message'} length={40} />
        </a>
        {message.destination ? (
          <Address address={message.destination} names={names} />
        ) : (
          <span>to the outside</span>
        )}
        {message.value && <Ton value={message.value} />}
        <span class="none">{message.destination ? 'not received yet' : 'log'}</span>
      </div>
    </li>
  );
}
