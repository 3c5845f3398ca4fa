import type { Described, Message } from '../api/types.ts';
import { groupDigits } from '../format/amount.ts';
import { Fields, Json, LongText } from '../parts/layout.tsx';
import {
  Address,
  Badge,
  ChainText,
  Copy,
  Currencies,
  Hash,
  hasCurrencies,
  Ton,
  When,
} from '../parts/text.tsx';

/** All fields of a message, its decoded body and its raw cells. */
export function MessageFields({ message, names }: { readonly message: Message; readonly names: Described }) {
  const content = message.message_content;
  return (
    <>
      <Fields
        rows={[
          [
            'From',
            message.source ? <Address key="from" address={message.source} names={names} isFull /> : 'outside',
          ],
          [
            'To',
            message.destination ? (
              <Address key="to" address={message.destination} names={names} isFull />
            ) : (
              'outside'
            ),
          ],
          message.value !== null && ['Value', <Ton key="value" value={message.value} />],
          hasCurrencies(message.value_extra_currencies) && [
            'Extra currencies',
            <Currencies key="extra" values={message.value_extra_currencies} />,
          ],
          ['Opcode', <Opcode key="opcode" message={message} />],
          message.created_at !== null && ['Time', <When key="time" unix={message.created_at} />],
          message.created_lt !== null && ['Logical time', groupDigits(message.created_lt)],
          message.fwd_fee !== null && ['Forward fee', <Ton key="fwd" value={message.fwd_fee} />],
          message.ihr_fee !== null && ['IHR fee', <Ton key="ihr" value={message.ihr_fee} />],
          message.import_fee !== null && ['Import fee', <Ton key="import" value={message.import_fee} />],
          message.bounce !== null && ['Bounce', message.bounce ? 'yes' : 'no'],
          message.bounced && [
            'Bounced',
            <Badge key="bounced" kind="bad">
              bounced
            </Badge>,
          ],
          message.ihr_disabled !== null && ['IHR disabled', message.ihr_disabled ? 'yes' : 'no'],
          message.extra_flags !== null && ['Extra flags', message.extra_flags],
          ['Hash', <Hash key="hash" hash={message.hash} to="message" isFull />],
          message.hash_norm !== undefined && [
            'Normalised hash',
            <Hash key="norm" hash={message.hash_norm} isFull />,
          ],
          message.out_msg_tx_hash && [
            'Sent by',
            <Hash key="out" hash={message.out_msg_tx_hash} to="transaction" />,
          ],
          message.in_msg_tx_hash && [
            'Received by',
            <Hash key="in" hash={message.in_msg_tx_hash} to="transaction" />,
          ],
          message.init_state?.hash != null && [
            'State init hash',
            <Hash key="init" hash={message.init_state.hash} isFull />,
          ],
          content?.hash != null && ['Body hash', <Hash key="body" hash={content.hash} isFull />],
        ]}
      />
      {content?.decoded && <Json value={content.decoded} />}
      <Cells name="Raw body" boc={content?.body} />
      <Cells name="State init" boc={message.init_state?.body} />
    </>
  );
}

function Opcode({ message: { opcode, decoded_opcode } }: { readonly message: Message }) {
  if (opcode === null) return <span class="none">none</span>;
  return (
    <>
      <span class="mono">{opcode}</span> {decoded_opcode && <ChainText text={decoded_opcode} length={60} />}
    </>
  );
}

/** A bag of cells in base64. */
export function Cells({ name, boc }: { readonly name: string; readonly boc: string | null | undefined }) {
  if (!boc) return null;
  return (
    <details>
      <summary>
        {name} <small>bag of cells, base64</small>
      </summary>
      <LongText label={name} text={boc} />
      <Copy text={boc} what={name.toLowerCase()} />
    </details>
  );
}
