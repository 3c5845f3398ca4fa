import type { Differences, Replay } from '../api/types.ts';
import { groupDigits } from '../format/amount.ts';
import { Panel, Table } from '../parts/layout.tsx';
import { Notice } from '../parts/notice.tsx';
import { Badge, ChainText } from '../parts/text.tsx';

/** Versions that replays build, and what the newest ones changed. */
export function Replays({ replays }: { readonly replays: readonly Replay[] }) {
  return (
    <>
      {replays.map((replay) => (
        <Panel
          key={`${replay.projection} ${replay.version}`}
          title={`Replay of ${replay.projection}: version ${replay.version}, decoder ${replay.code}`}
          aside={<State replay={replay} />}
        >
          {replay.differences ? (
            <Changes differences={replay.differences} label={`Differences of ${replay.projection}`} />
          ) : (
            <Progress replay={replay} />
          )}
        </Panel>
      ))}
    </>
  );
}

function State({ replay: { is_served, differences } }: { readonly replay: Replay }) {
  if (is_served) return <Badge kind="good">served</Badge>;
  return <Badge kind="plain">{differences ? 'complete, not served' : 'building'}</Badge>;
}

function Progress({ replay: { steps, of } }: { readonly replay: Replay }) {
  return (
    <label>
      {groupDigits(steps)} of {groupDigits(of)} masterchain blocks <progress max={of || 1} value={steps} />
    </label>
  );
}

function Changes({ differences, label }: { readonly differences: Differences; readonly label: string }) {
  const { from, tables } = differences;
  const examples = tables.flatMap(({ table, examples: some }) => some.map((one) => ({ table, ...one })));
  const named = [
    ['Tables added', differences.addedTables],
    ['Tables removed', differences.removedTables],
    ['Columns added', differences.addedColumns],
    ['Columns removed', differences.removedColumns],
  ] as const;
  return (
    <>
      <Notice>
        {tables.length === 0
          ? `No row differs from version ${from}.`
          : `Rows that differ from version ${from}, when the version was complete:`}
      </Notice>
      {named.map(
        ([title, names]) =>
          names.length > 0 && (
            <p key={title}>
              {title}: {names.join(', ')}
            </p>
          ),
      )}
      {tables.length > 0 && (
        <Table
          label={label}
          heads={['Table', '#Added', '#Removed', '#Altered', 'Columns of altered rows']}
          rows={tables.map(({ table, added, removed, altered, columns }) => ({
            key: table,
            cells: [
              table,
              groupDigits(added),
              groupDigits(removed),
              groupDigits(altered),
              columns.map(({ column, rows }) => `${column} (${groupDigits(rows)})`).join(', ') || '–',
            ],
          }))}
        />
      )}
      {examples.length > 0 && (
        <details>
          <summary>Examples</summary>
          <ul class="examples">
            {examples.map(({ table, change, key, columns }, at) => (
              <li key={at}>
                {change} in {table}: <ChainText text={toText(key)} />
                {columns.map(({ column, before, after }) => (
                  <div key={column}>
                    {column}: <ChainText text={before} /> → <ChainText text={after} />
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function toText(key: Readonly<Record<string, string>>): string {
  return Object.entries(key)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
