/** Citations of the contract in comments: `v3-models.md 8.1` names a page of docs/contract and a heading in it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the cited pages are, from the root of the project. */
export const CONTRACT = 'docs/contract';
const ONE = /\d+(?:\.\d+)?(?![\d%])/;
/** After the name of a page, its sections: `a.md 1.2`, `a.md section 3`, `a.md 3 and 4`, `a.md 3, 4`. */
const CITED = new RegExp(
  `\\.md\\b((?:,? (?:section |sections )?${ONE.source}(?:(?:,| and) ${ONE.source})*)?)`,
  'g',
);
const PAGE = /([\w./-]*\/|)([\w-]+)$/;
/** No path is longer, characters: each name is searched for in so much text before its `.md`. */
const MAX_PATH = 100;
/** Comments begin their lines with these; a citation may go over the end of a line. */
const COMMENT_LINE = /\n\s*(?:\*|\/\/) ?/g;

/**
 * Citations of `text` that lead nowhere: an unknown page, or a section that its page does not have. `sections`: of each
 * page of the contract. Pages with another path (docs/settings.md) are links, which have a check of their own.
 */
export function brokenCitations(
  text: string,
  sections: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const prose = text.replace(COMMENT_LINE, ' ');
  return [...prose.matchAll(CITED)].flatMap(({ index, 1: numbers }) => {
    const [, path, page] = PAGE.exec(prose.slice(Math.max(0, index - MAX_PATH), index)) ?? [];
    if (page === undefined || !['', 'contract/', `${CONTRACT}/`].includes(path!)) return [];
    const known = sections.get(page);
    if (!known) return /^[A-Z]+$/.test(page) ? [] : [`no page ${CONTRACT}/${page}.md`];
    return [...numbers!.matchAll(new RegExp(ONE.source, 'g'))]
      .filter(([section]) => !known.has(section))
      .map(([section]) => `${CONTRACT}/${page}.md has no section ${section}`);
  });
}

/** Numbers of the headings of a page: `## 6. Messages` is 6, `### 6.1 Bodies` is 6.1. */
export function findSections(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/^##+ (\d+(?:\.\d+)?)\.? /gm)].map(([, number]) => number!));
}

/** Citations of source files (`file: reason`) that lead nowhere. Paths are below `root`. */
export function citationProblems(
  root: string,
  pages: readonly string[],
  sources: readonly string[],
): readonly string[] {
  const sections = new Map(
    pages
      .filter((page) => page.startsWith(`${CONTRACT}/`))
      .map((page) => [
        page.slice(CONTRACT.length + 1, -'.md'.length),
        findSections(readFileSync(join(root, page), 'utf8')),
      ]),
  );
  return sources
    .filter((source) => existsSync(join(root, source)))
    .flatMap((source) =>
      brokenCitations(readFileSync(join(root, source), 'utf8'), sections).map(
        (reason) => `${source}: ${reason}`,
      ),
    );
}
