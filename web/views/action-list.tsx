import type { Action, Described } from '../api/types.ts';
import { toWords } from '../format/text.ts';
import { Fields, Json } from '../parts/layout.tsx';
import { Address, Badge, ChainText, Hash, Tokens, Ton, When } from '../parts/text.tsx';
import { type SentencePart, toSentence } from './action-sentences.ts';

export interface ActionListProps {
  readonly actions: readonly Action[];
  readonly names: Described;
  /** Links each action to its trace. */
  readonly hasTraceLinks?: boolean;
}

/** Actions, one sentence each. Their details open below. */
export function ActionList({ actions, names, hasTraceLinks = false }: ActionListProps) {
  return (
    <ol class="actions">
      {actions.map((action) => (
        <li key={action.action_id}>
          <Sentence action={action} names={names} />
          {action.success === false && <Badge kind="bad">failed</Badge>}
          <Comment details={action.details} />
          {hasTraceLinks && (
            <span class="aside">
              <When unix={action.end_utime} isShort /> · trace <Hash hash={action.trace_id} to="trace" />
            </span>
          )}
          <details>
            <summary>Fields</summary>
            <Fields
              rows={[
                ['Type', action.type],
                ['Time', <When key="time" unix={action.end_utime} />],
                ['Action', <Hash key="id" hash={action.action_id} isFull />],
              ]}
            />
            <Json value={action.details} />
          </details>
        </li>
      ))}
    </ol>
  );
}

function Sentence({ action, names }: { readonly action: Action; readonly names: Described }) {
  const parts = toSentence(action.type, action.details);
  if (!parts) return <span>{toWords(action.type)}</span>;
  return (
    <span>
      {parts.map((part, at) => (
        <Part key={at} part={part} names={names} />
      ))}
    </span>
  );
}

function Part({ part, names }: { readonly part: SentencePart; readonly names: Described }) {
  if (part.kind === 'words') return <>{part.text}</>;
  if (part.value === null) return <>{part.kind === 'address' ? 'nobody' : 'an unknown amount'}</>;
  if (part.kind === 'text') return <ChainText text={part.value} length={40} />;
  if (part.kind === 'address') return <Address address={part.value} names={names} />;
  if (part.kind === 'ton' || part.asset === null) return <Ton value={part.value} />;
  return <Tokens value={part.value} jetton={part.asset} names={names} />;
}

function Comment({ details }: { readonly details: Action['details'] }) {
  const { comment, encrypted, is_encrypted_comment: isHidden } = details as Readonly<Record<string, unknown>>;
  if (typeof comment !== 'string' || comment === '') return null;
  return (
    <q class="comment">{encrypted || isHidden ? 'encrypted' : <ChainText text={comment} length={200} />}</q>
  );
}
