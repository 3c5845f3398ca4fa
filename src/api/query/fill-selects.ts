import { byTables, type ServedTables } from '../served-tables.ts';

type BuildText = (tables: ServedTables | null) => string;

const TEXTS = new Map<string, BuildText>();

/** A part of statements that depends on the read version, as the name `{{NAME}}`. Each name is declared once. */
export function versionedText(name: string, build: BuildText): string {
  if (TEXTS.has(name)) throw new RangeError(`two texts are named ${name}`);
  TEXTS.set(name, byTables(build));
  return `{{${name}}}`;
}

/** Fills the texts that a statement names (`{{blocks}}`) for the read version. */
export function fillSelects(sql: string, tables: ServedTables | null): string {
  return sql.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const build = TEXTS.get(name);
    if (build === undefined) throw new RangeError(`no text is named ${name}`);
    return build(tables);
  });
}
