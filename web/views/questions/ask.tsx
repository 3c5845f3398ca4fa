import { PARAMETER_VALUES } from 'virtual:facts';
import { useEffect, useState } from 'preact/hooks';
import { getJson } from '../../api/request.ts';
import { useJson } from '../../api/use-answer.ts';
import { Download, Panel, Sources } from '../../parts/layout.tsx';
import { Notice, Shown } from '../../parts/notice.tsx';
import { AnswerRows } from './answer.tsx';
import { findParameters, type SqlAnswer, type SqlValues, toSqlUrl } from './sql.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;

interface Asked {
  readonly sql: string;
  readonly values: SqlValues;
}

export interface AskProps {
  readonly title: string;
  readonly sql: string;
  /** Shows the answer first: the statement opens on demand. */
  readonly isFolded?: boolean;
}

/** A statement that can be changed, and its answer. */
export function Ask({ title, sql, isFolded = false }: AskProps) {
  const [draft, setDraft] = useState<Asked>({ sql, values: {} });
  const [asked, setAsked] = useState<Asked>(draft);
  const known = { ...useExamples(asked.sql), ...asked.values };
  const names = findParameters(asked.sql);
  const isReady = asked.sql.trim() !== '' && names.every((name) => known[name] !== undefined);
  const values = Object.fromEntries(names.map((name) => [name, known[name] ?? '']));
  const url = isReady ? toSqlUrl(asked.sql, 'JSONCompact', values) : null;
  const loaded = useJson<SqlAnswer>(url);
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    setAsked(draft);
  };
  return (
    <>
      <form class="ask" onSubmit={ask}>
        {findParameters(draft.sql).map((name) => (
          <label key={name}>
            {name}
            <input
              {...(name === 'from' || name === 'to' ? { type: 'date' as const } : { type: 'text' as const })}
              value={draft.values[name] ?? known[name] ?? ''}
              spellcheck={false}
              onInput={({ currentTarget: { value } }) =>
                setDraft({ ...draft, values: { ...draft.values, [name]: value } })
              }
            />
          </label>
        ))}
        <details class="wide" open={!isFolded}>
          <summary>SQL</summary>
          <textarea
            aria-label="SQL"
            rows={Math.min(20, draft.sql.split('\n').length + 1)}
            spellcheck={false}
            value={draft.sql}
            onInput={({ currentTarget: { value } }) => setDraft({ ...draft, sql: value })}
          />
        </details>
        <button type="submit">Run</button>
      </form>
      {asked.sql.trim() === '' ? (
        <Notice>Write a statement: docs/tables.md describes the tables, and SHOW TABLES lists them.</Notice>
      ) : (
        <Panel
          title="Answer"
          aside={
            url && (
              <Download url={toSqlUrl(asked.sql, 'CSVWithNames', values)} name="answer.csv" what="as CSV" />
            )
          }
        >
          <Shown loaded={loaded}>{(answer) => <AnswerRows answer={answer} label={title} />}</Shown>
        </Panel>
      )}
      {url && <Sources urls={[url]} />}
    </>
  );
}

/** Values of parameters that a statement can be run with: the last 30 days, and accounts of the index. */
function useExamples(sql: string): SqlValues {
  const [examples, setExamples] = useState<SqlValues>(() => ({
    from: toDate(Date.now() - DAYS * DAY_MS),
    to: toDate(Date.now()),
  }));
  useEffect(() => {
    for (const name of findParameters(sql))
      if (Object.hasOwn(PARAMETER_VALUES, name) && examples[name] === undefined)
        readFirst(PARAMETER_VALUES[name as keyof typeof PARAMETER_VALUES]).then((value) =>
          setExamples((before) => ({ ...before, [name]: value })),
        );
  }, [sql]);
  return examples;
}

/** The first value of a statement's answer; empty if there is none. */
async function readFirst(sql: string): Promise<string> {
  const { data } = await getJson<SqlAnswer>(toSqlUrl(sql, 'JSONCompact')).catch(() => ({ data: [] }));
  return String(data[0]?.[0] ?? '');
}

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
