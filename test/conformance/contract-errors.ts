import { between } from './contract-more.ts';
import { cellsOf, contractText } from './contract-tables.ts';

/* Reads the errors that the contract names: a status and a text. */

/** An error of the contract; `text` has its places in angle brackets. */
export interface ContractError {
  readonly status: number;
  readonly text: string;
}

/** A status, then texts in code that are set apart by commas, slashes or words. */
const NAMED = /([45]\d\d)\**:? ?\(?((?:`[^`]+`(?: \/ |, | or )?)+)/g;

/** Errors of v3 in v3-endpoints.md and v3-more.md. */
export function v3Errors(): readonly ContractError[] {
  const texts = ['v3-endpoints.md', 'v3-more.md'].map(contractText).join('\n');
  const found = [...texts.matchAll(NAMED)].flatMap(([, status, names]) => errorsIn(Number(status), names!));
  // `{error}` is the shape of a body.
  return unique(found.filter(({ text }) => !text.startsWith('{')));
}

/** Errors of the emulation (v3-rules.md 1.3). Errors with 400 begin with `invalid request: `. */
export function emulationErrors(): readonly ContractError[] {
  const section = between(contractText('v3-rules.md'), '### 1.3 Errors', '\n---');
  return section.split('\n').flatMap((line) => {
    const [status = '', texts = ''] = cellsOf(line);
    if (!/^\d+$/.test(status)) return [];
    return errorsIn(Number(status), texts).filter(({ text }) => text !== 'invalid request: ');
  });
}

/** Errors of a subscription (streaming.md 10), in the words of each transport. */
export function streamErrors(): readonly { readonly sse: string | null; readonly socket: string | null }[] {
  const section = between(contractText('streaming.md'), '## 10. Errors', '\n---');
  return section.split('\n').flatMap((line) => {
    const [, sse = '', socket = '', words = ''] = cellsOf(line);
    const texts = codesIn(words);
    if (texts.length === 0) return [];
    return [
      {
        sse: sse === '' ? null : texts[0]!,
        socket: socket.startsWith('frame') ? texts.at(-1)! : null,
      },
    ];
  });
}

/** A row of v2-endpoints.md 3. */
export interface V2ErrorRow {
  readonly condition: string;
  readonly status: number;
  readonly texts: readonly string[];
  /** There are further texts. */
  readonly isOpen: boolean;
}

export function v2Errors(): readonly V2ErrorRow[] {
  const section = between(contractText('v2-endpoints.md'), '| Condition | HTTP status |', '\n\n');
  return section.split('\n').flatMap((line) => {
    const [condition = '', status = '', words = ''] = cellsOf(line);
    const code = /^\d+/.exec(status)?.[0];
    return code === undefined
      ? []
      : [{ condition, status: Number(code), texts: codesIn(words), isOpen: words.endsWith('…') }];
  });
}

function errorsIn(status: number, names: string): readonly ContractError[] {
  return codesIn(names).map((text) => ({ status, text }));
}

function codesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

function unique(errors: readonly ContractError[]): readonly ContractError[] {
  return [...new Map(errors.map((error) => [`${error.status} ${error.text}`, error])).values()];
}

/** A text of the contract with anything in its places. */
export function errorPattern(text: string): RegExp {
  const parts = text.split(/<\w[\w ]*>|…/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/** Whether an error begins as a text of the contract does. */
export function isTold(text: string, error = ''): boolean {
  return errorPattern(`${text}…`).test(error) || error.startsWith(text.split(/<|…/)[0]!.trim());
}

/** Names of a table that a condition begins with. */
export function namesIn(names: readonly string[], condition: string): readonly string[] {
  return names.filter((name) => condition.startsWith(name));
}
