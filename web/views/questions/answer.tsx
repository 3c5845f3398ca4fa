import { useState } from 'preact/hooks';
import type { Described } from '../../api/types.ts';
import { useDescribed } from '../../api/use-described.ts';
import { groupDigits } from '../../format/amount.ts';
import { Table } from '../../parts/layout.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Address, ChainText } from '../../parts/text.tsx';
import { TimeChart } from '../../parts/time-chart.tsx';
import { findToken, TokenImage } from '../../parts/token-image.tsx';
import { findFigure, isNumeric, type SqlAnswer, toTimeSeries } from './sql.ts';

/** Rows that are shown until all are asked for. */
const FIRST_ROWS = 200;

export interface AnswerRowsProps {
  readonly answer: SqlAnswer;
  readonly label: string;
}

/** The rows of an answer, and a line if they are values over time. */
export function AnswerRows({ answer, label }: AnswerRowsProps) {
  const [hasAll, setAll] = useState(false);
  const { data } = answer;
  const addresses = data.slice(0, FIRST_ROWS).flatMap((row) => row.filter(isAddress));
  const names = useDescribed(addresses);
  if (data.length === 0) return <Notice>No row of the index answers this.</Notice>;
  const series = toTimeSeries(answer);
  const rows = hasAll ? data : data.slice(0, FIRST_ROWS);
  return (
    <>
      {series && <TimeChart points={series} label={label} />}
      <Rows answer={{ ...answer, data: rows }} label={label} names={names} />
      {rows.length < data.length && (
        <p class="more">
          <button type="button" onClick={() => setAll(true)}>
            Show all {groupDigits(data.length)} rows
          </button>
        </p>
      )}
    </>
  );
}

function Rows({ answer, label, names }: AnswerRowsProps & { readonly names: Described }) {
  const { meta, data } = answer;
  const figure = findFigure(answer);
  const largest = Math.max(0, ...data.slice(0, FIRST_ROWS).map((row) => Number(row[figure])));
  const hasShares = figure >= 0 && data.length > 1 && data.length <= FIRST_ROWS;
  return (
    <Table
      label={label}
      heads={[
        ...meta.map(({ name, type }) => `${isNumeric(type) ? '#' : ''}${name.replaceAll('_', ' ')}`),
        ...(hasShares ? [`share of the largest ${meta[figure]?.name.replaceAll('_', ' ')}`] : []),
      ]}
      rows={data.map((row, at) => ({
        key: String(at),
        cells: [
          ...row.map((value, column) => (
            <Value key={meta[column]?.name} value={value} type={meta[column]?.type ?? ''} names={names} />
          )),
          ...(hasShares
            ? [
                <meter
                  key="share"
                  min={0}
                  max={largest || 1}
                  value={Math.max(0, Number(row[figure]))}
                  aria-label="Share of the largest"
                />,
              ]
            : []),
        ],
      }))}
    />
  );
}

const ADDRESS = /^-?\d{1,10}:[0-9A-F]{64}$/;

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && ADDRESS.test(value);
}

interface ValueProps {
  readonly value: unknown;
  readonly type: string;
  readonly names: Described;
}

function Value({ value, type, names }: ValueProps) {
  if (value === null) return <span class="none">none</span>;
  if (isAddress(value))
    return (
      <>
        <TokenImage extra={findToken(names, value)?.extra} size="small" />{' '}
        <Address address={value} names={names} />
      </>
    );
  if (isNumeric(type)) return <>{toNumber(value)}</>;
  return <ChainText text={Array.isArray(value) ? value.join(', ') : String(value)} length={80} />;
}

/** A number with its digits grouped. A whole one keeps all digits, others have at most three decimals. */
function toNumber(value: unknown): string {
  if (/^-?\d+$/.test(String(value))) return groupDigits(String(value));
  const [whole = '', part] = String(Math.round(Number(value) * 1_000) / 1_000).split('.');
  return `${groupDigits(whole)}${part === undefined ? '' : `.${part}`}`;
}
