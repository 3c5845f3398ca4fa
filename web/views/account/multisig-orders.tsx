import type { Answer } from '../../api/request.ts';
import { usePages } from '../../api/use-pages.ts';
import { Panel, Table } from '../../parts/layout.tsx';
import { PageList } from '../../parts/page-list.tsx';
import { Address, Badge, ChainText, When } from '../../parts/text.tsx';

type Order = Answer<'/api/v3/multisig/orders'>['orders'][number];

/** Orders of a multisig. */
export function MultisigOrders({ address }: { readonly address: string }) {
  const pages = usePages<Answer<'/api/v3/multisig/orders'>>('/api/v3/multisig/orders', {
    multisig_address: address,
    limit: 50,
  });
  return (
    <Panel title="Multisig orders">
      <PageList pages={pages} empty="The multisig has no orders.">
        {(answers) => (
          <Table
            label="Orders of the multisig"
            heads={['#Number', 'Order', 'Approvals', 'State', 'Expires']}
            rows={answers.flatMap((answer) =>
              answer.orders.map((order) => ({
                key: order.address,
                cells: [
                  <ChainText key="number" text={order.order_seqno ?? '–'} length={30} />,
                  <Address key="order" address={order.address} names={answer} />,
                  `${order.approvals_num ?? '–'} of ${order.threshold ?? '–'}`,
                  <State key="state" order={order} />,
                  order.expiration_date === null ? '–' : <When key="expires" unix={order.expiration_date} />,
                ],
              })),
            )}
          />
        )}
      </PageList>
    </Panel>
  );
}

function State({ order: { sent_for_execution, expiration_date } }: { readonly order: Order }) {
  if (sent_for_execution) return <Badge kind="good">sent</Badge>;
  const isExpired = expiration_date !== null && expiration_date < Date.now() / 1_000;
  return <Badge kind={isExpired ? 'bad' : 'plain'}>{isExpired ? 'expired' : 'open'}</Badge>;
}
