import { toUrl } from '../api/request.ts';
import type { Message } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Panel, Sources } from '../parts/layout.tsx';
import { Notice, Shown } from '../parts/notice.tsx';
import { MessageFields } from './message-fields.tsx';

/** A message: `#/message/HASH`. */
export function MessageView({ values: [hash = ''] }: { readonly values: readonly string[] }) {
  const parameters = { msg_hash: hash, limit: 1 };
  const loaded = useAnswer('/api/v3/messages', parameters);
  return (
    <>
      <h1>Message</h1>
      <Shown loaded={loaded}>
        {(answer) =>
          answer.messages[0] ? (
            <Panel title="Fields">
              <MessageFields message={answer.messages[0] as Message} names={answer} />
            </Panel>
          ) : (
            <Notice>The index has no such message.</Notice>
          )
        }
      </Shown>
      <Sources urls={[toUrl('/api/v3/messages', parameters)]} />
    </>
  );
}
