/* Migrations whose statements follow from tables. Their comments and line breaks are those of the files. */

/** A statement by the name of the table or view that it creates. */
export type Statements = Readonly<Record<string, string>>;

/** Comment lines before a statement, and the statement. */
const STATEMENT = /((?:--.*\n|\n)*)([^;]+);\n?/g;

/** What a statement creates, without the database. */
const CREATED = /^CREATE (?:TABLE|MATERIALIZED VIEW) IF NOT EXISTS \{db\}\.(\w+)\{cluster\}/;

/** Names of what the statements of a migration create, in order. */
export function createdNames(text: string): string[] {
  return [...text.matchAll(STATEMENT)].flatMap(([, , statement = '']) => CREATED.exec(statement)?.[1] ?? []);
}

/** The text with the wanted statements in the place of those that mean something else. */
export function withStatements(text: string, wanted: Statements): string {
  return text.replaceAll(STATEMENT, (found, comment: string, statement: string) => {
    const name = CREATED.exec(statement)?.[1] ?? '';
    const own = wanted[name];
    return own === undefined || toTokens(own) === toTokens(statement) ? found : `${comment}${own};\n`;
  });
}

/** SQL without line breaks and indentation. */
function toTokens(statement: string): string {
  return statement.trim().replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')');
}
