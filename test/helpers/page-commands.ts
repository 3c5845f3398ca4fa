import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A command that a page tells its reader to run. */
export interface PageCommand {
  /** Path of the page, from the project's folder. */
  readonly page: string;
  /** Without the comment at its end. */
  readonly command: string;
}

const FENCE = /^\s*```(\S*)/;
/** Blocks of commands, and transcripts, whose commands begin with `$ `. */
const SHELL = new Set(['sh', 'bash', 'shell']);
const TRANSCRIPT = 'console';

/** README.md and the pages of docs. */
export function pagesOf(project: string): string[] {
  const pages = readdirSync(join(project, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...pages.toSorted().map((name) => `docs/${name}`)];
}

/** Commands of a page's shell blocks, in their order; a line that ends with a backslash goes on. */
export function commandsOf(project: string, page: string): PageCommand[] {
  const found: PageCommand[] = [];
  let language: string | null = null;
  let begun = '';
  for (const line of readFileSync(join(project, page), 'utf8').split('\n')) {
    const fence = FENCE.exec(line);
    if (fence) {
      language = language === null ? (fence[1] ?? '') : null;
      continue;
    }
    const text = commandIn(line, language);
    if (text === null) continue;
    begun += text;
    if (begun.endsWith('\\')) {
      begun = `${begun.slice(0, -1).trimEnd()} `;
      continue;
    }
    if (begun !== '') found.push({ page, command: begun });
    begun = '';
  }
  return found;
}

function commandIn(line: string, language: string | null): string | null {
  if (language === TRANSCRIPT) return line.startsWith('$ ') ? withoutComment(line.slice(2)) : null;
  return language !== null && SHELL.has(language) ? withoutComment(line.trim()) : null;
}

function withoutComment(line: string): string {
  return line.replace(/(^|\s+)#\s.*$/, '').trim();
}
