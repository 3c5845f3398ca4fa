import { QUESTIONS } from 'virtual:facts';
import { toUrl } from '../../api/request.ts';
import { Panel } from '../../parts/layout.tsx';
import { Notice } from '../../parts/notice.tsx';
import { toHref } from '../../routes.ts';
import { Ask } from './ask.tsx';

/** The view of a statement of one's own. */
const OWN = 'own';

/** Questions that SQL answers: `#/questions`, `#/questions/NAME` for one of them, and `#/questions/own` for another one. */
export function QuestionsView({ values: [name] }: { readonly values: readonly string[] }) {
  const question = QUESTIONS.find((one) => one.name === name);
  if (question) return <One title={question.title} sql={question.sql} />;
  if (name === OWN) return <One title="A question of your own" sql="" />;
  return (
    <>
      <h1>Questions</h1>
      <Panel title="Answered by SQL" aside={<a href={toHref('questions', OWN)}>ask your own</a>}>
        <ul class="questions">
          {QUESTIONS.map((one) => (
            <li key={one.name}>
              <a href={toHref('questions', one.name)}>{one.title}</a>
            </li>
          ))}
        </ul>
      </Panel>
      <Notice>
        Any program may ask: <code>{toUrl('/sql')}</code> takes ClickHouse's SQL over read-only tables.
      </Notice>
    </>
  );
}

function One({ title, sql }: { readonly title: string; readonly sql: string }) {
  return (
    <>
      <p>
        <a href={toHref('questions')}>← all questions</a>
      </p>
      <h1>{title}</h1>
      <Ask title={title} sql={sql} />
    </>
  );
}
