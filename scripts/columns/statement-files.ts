/* Migrations whose statements follow from tables. Their comments and line breaks are those of the files. */

/** A statement by the name of the table or view that it creates. */
export type Statements = Readonly<Record<string, string>>;

/** Comment lines before a statement, and the statement. Quoted text may contain a semicolon. */
const STATEMENT = /((?:--.*\n|\n)*)((?:'(?:[^'\\]|\\.)*'|[^;'])+);\n?/g;

const CREATED = /^CREATE (?:TABLE|MATERIALIZED VIEW) IF NOT EXISTS \{(db|secrets)\}\.(\w+)\{cluster\}/;

/** The name of a table among the statements of a folder. */
export function toKey({
  name,
  database = 'db',
}: {
  readonly name: string;
  readonly database?: string;
}): string {
  return database === 'db' ? name : `${database}.${name}`;
}

function createdBy(statement: string): string | null {
  const [, database, name] = CREATED.exec(statement) ?? [];
  return name === undefined ? null : toKey({ name, ...(database !== undefined && { database }) });
}

/** Names of what the statements of a migration create, in order. */
export function createdNames(text: string): string[] {
  return [...text.matchAll(STATEMENT)].flatMap(([, , statement = '']) => createdBy(statement) ?? []);
}

/** The text with the wanted statements in the place of those that mean something else. */
export function withStatements(text: string, wanted: Statements): string {
  return text.replaceAll(STATEMENT, (found, comment: string, statement: string) => {
    const name = createdBy(statement) ?? '';
    const own = wanted[name];
    return own === undefined || toTokens(own) === toTokens(statement) ? found : `${comment}${own};\n`;
  });
}

/** SQL without line breaks and indentation. */
function toTokens(statement: string): string {
  return statement.trim().replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')');
}
