import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../examples/questions');
const HEAD = /^-- (.+)\n-- panel: (timeseries|table)\n(?:-- rows: (.+)\n)?/;

/** A question of analysts with its statement. The files of examples/questions are its only home. */
export interface Question {
  /** Name of the file without its ending, such as `01b-blocks-around-a-moment`. */
  readonly name: string;
  /** Such as `1b`. */
  readonly number: string;
  readonly title: string;
  readonly panel: 'timeseries' | 'table';
  /** True if traffic of a local chain gives no rows. */
  readonly isEmptyLocally: boolean;
  /** The statement, with ClickHouse's parameters `from`, `to`, `address` and `jetton`. */
  readonly sql: string;
}

/** Reads the questions in their order. */
export function readQuestions(): readonly Question[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => readQuestion(file.slice(0, -'.sql'.length), readFileSync(join(FOLDER, file), 'utf8')));
}

function readQuestion(name: string, text: string): Question {
  const [head, title, panel, rows] = HEAD.exec(text) ?? [];
  const number = /^0?(\d+[a-z]?)-/.exec(name)?.[1];
  if (head === undefined || title === undefined || number === undefined)
    throw new Error(
      `examples/questions/${name}.sql: expected NN-name, and lines with the question and its panel`,
    );
  return {
    name,
    number,
    title,
    panel: panel === 'table' ? 'table' : 'timeseries',
    isEmptyLocally: rows === 'none on a local chain',
    sql: text.slice(head.length).trimEnd(),
  };
}

/** Statements whose rows are values for the parameters `address` and `jetton`: the first row is a good example. */
export const PARAMETER_VALUES = {
  address:
    "SELECT destination FROM messages WHERE direction = 'in' AND block_date >= today() - 7 GROUP BY destination ORDER BY count() DESC LIMIT 20",
  jetton: 'SELECT address FROM jetton_metadata_latest ORDER BY address LIMIT 100',
} as const;
