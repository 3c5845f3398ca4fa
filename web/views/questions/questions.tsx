import { toUrl } from '../../api/request.ts';
import { useJson } from '../../api/use-answer.ts';
import { groupDigits } from '../../format/amount.ts';
import { LongText, Panel, Sources, Table } from '../../parts/layout.tsx';
import { Notice, Shown } from '../../parts/notice.tsx';
import { Address, ChainText } from '../../parts/text.tsx';
import { TimeChart } from '../../parts/time-chart.tsx';
import { toHref } from '../../routes.ts';
import { isNumeric, QUESTIONS, type Question, type SqlAnswer, toSqlUrl, toTimeSeries } from './questions.ts';

/** Questions that SQL answers: `#/questions`, and `#/questions/ID` for one of them. */
export function QuestionsView({ values: [id] }: { readonly values: readonly string[] }) {
  const question = QUESTIONS.find((one) => one.id === id);
  if (question) return <Asked question={question} />;
  return (
    <>
      <h1>Questions</h1>
      <Panel title="Answered by SQL">
        <ul class="questions">
          {QUESTIONS.map((one) => (
            <li key={one.id}>
              <a href={toHref('questions', one.id)}>{one.text}</a>
            </li>
          ))}
        </ul>
      </Panel>
      <Notice>
        Anyone may ask others: <code>{toUrl('/sql')}</code> takes ClickHouse's SQL over read-only tables.
      </Notice>
    </>
  );
}

function Asked({ question: { text, sql } }: { readonly question: Question }) {
  const url = toSqlUrl(sql, 'JSONCompact');
  const loaded = useJson<SqlAnswer>(url);
  return (
    <>
      <p>
        <a href={toHref('questions')}>← all questions</a>
      </p>
      <h1>{text}</h1>
      <Panel title="Answer" aside={<a href={toSqlUrl(sql, 'CSVWithNames')}>as CSV</a>}>
        <Shown loaded={loaded}>{(answer) => <AnswerRows answer={answer} label={text} />}</Shown>
      </Panel>
      <Panel title="SQL">
        <LongText label="SQL" text={sql} />
      </Panel>
      <Sources urls={[url]} />
    </>
  );
}

function AnswerRows({ answer, label }: { readonly answer: SqlAnswer; readonly label: string }) {
  const { meta, data } = answer;
  if (data.length === 0) return <Notice>No row of the index answers this.</Notice>;
  const series = toTimeSeries(answer);
  const largest = Math.max(...data.map((row) => Number(row[1])));
  return (
    <>
      {series && <TimeChart points={series} label={label} />}
      <Table
        label={label}
        heads={[
          ...meta.map(({ name, type }) => `${isNumeric(type) ? '#' : ''}${name.replaceAll('_', ' ')}`),
          'of the largest',
        ]}
        rows={data.map((row, at) => ({
          key: String(at),
          cells: [
            ...row.map((value, column) => (
              <Value key={meta[column]?.name} value={value} type={meta[column]?.type ?? ''} />
            )),
            <meter
              key="share"
              min={0}
              max={largest || 1}
              value={Number(row[1])}
              aria-label="Share of the largest"
            />,
          ],
        }))}
      />
    </>
  );
}

const ADDRESS = /^-?\d{1,10}:[0-9A-F]{64}$/;

function Value({ value, type }: { readonly value: unknown; readonly type: string }) {
  if (value === null) return <span class="none">none</span>;
  if (typeof value === 'string' && ADDRESS.test(value)) return <Address address={value} />;
  if (isNumeric(type)) return <>{toNumber(Number(value))}</>;
  return <ChainText text={Array.isArray(value) ? value.join(', ') : String(value)} length={80} />;
}

/** A number with its digits grouped, and at most three decimals. */
function toNumber(value: number): string {
  const [whole = '', part] = String(Math.round(value * 1_000) / 1_000).split('.');
  return `${groupDigits(whole)}${part === undefined ? '' : `.${part}`}`;
}
