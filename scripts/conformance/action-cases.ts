import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseJson } from '../../src/api/http/json-source.ts';
import { classifyTrace } from '../../src/projections/actions/classify.ts';
import { recordedColumns } from '../../src/projections/actions/out/recorded-columns.ts';
import { type Difference, differencesOf } from './compare-values.ts';
import { selects } from './selector.ts';
import { factsOf, type RecordedTrace, traceOf } from './trace-fixture.ts';

/** One action that a case expects. */
interface ExpectedAction {
  readonly type: string;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Condition that picks one action of the type, or a list of them. */
  readonly selector_source?: string;
}

interface Case {
  readonly case: string;
  readonly trace_file: string;
  readonly expected_actions: readonly ExpectedAction[];
}

/** A folder that is to have cases has none. */
export class CasesError extends Error {
  override readonly name = 'CasesError';
}

/** One expected action against what was classified. */
export interface Outcome {
  /** Of the case: several expected actions have the same. */
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly expected: string;
  /** `ok`, or what was found instead. */
  readonly got: string;
}

/** Files of cases under a folder of traces with `cases/` inside, or of a folder of cases itself. @throws CasesError */
function caseFiles(folder: string): { readonly base: string; readonly files: readonly string[] } {
  const inside = join(folder, 'cases');
  const cases = existsSync(inside) ? inside : folder;
  if (!existsSync(cases) || !statSync(cases).isDirectory()) throw new CasesError(`${folder} is no folder`);
  const files = readdirSync(cases).filter((name) => name.endsWith('.json'));
  // `trace_file` is given from the folder above the traces.
  return { base: resolve(cases, '../..'), files: files.sort().map((name) => join(cases, name)) };
}

/** A trace lies where the case says, or under its plain name beside the cases. */
function traceFile(base: string, folder: string, name: string): string {
  const places = [join(base, name), join(folder, basename(name)), join(folder, '..', basename(name))];
  return places.find((place) => existsSync(place)) ?? (places[0] as string);
}

/** Amounts of any length: integers beyond 2^53 are bigints. @throws JsonTextError */
const readJson = (file: string): unknown => parseJson(readFileSync(file, 'utf8'));

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? one.toString() : one)) ?? 'nothing';

const differenceText = ({ path, expected, got }: Difference): string =>
  `${path}: ${shown(got)} instead of ${shown(expected)}`;

/** `ok`, or why no action of the trace is what the case expects. */
function gotFor(expected: ExpectedAction, actions: readonly Readonly<Record<string, unknown>>[]): string {
  const sameType = actions.filter(({ type }) => String(type).toLowerCase() === expected.type.toLowerCase());
  const { selector_source: selector, values = {} } = expected;
  const picked = selector === undefined ? sameType : sameType.filter((one) => selects(selector, one));
  const [only, ...others] = picked;
  if (!only || others.length > 0) {
    const types = actions.map(({ type }) => type).join(', ');
    return `${picked.length} actions of the type; all: ${types}`;
  }
  const differences = differencesOf(values, only);
  return differences.length === 0 ? 'ok' : differences.map(differenceText).join('; ');
}

/** Outcomes of every expected action of every case below a folder. @throws CasesError there is none */
export function runCases(folder: string): Outcome[] {
  const { base, files } = caseFiles(folder);
  const outcomes = files.flatMap((file) => outcomesOfFile(file, (name) => traceFile(base, folder, name)));
  if (outcomes.length === 0) throw new CasesError(`no cases in ${folder}`);
  return outcomes;
}

/** A file that cannot be read is a case that failed: the others are run all the same. */
function outcomesOfFile(file: string, locate: (name: string) => string): Outcome[] {
  const name = basename(file, '.json');
  try {
    const found = readJson(file) as CaseFile;
    // A recorded trace may lie beside the cases.
    if (Array.isArray(found.transactions)) return [];
    if (!Array.isArray(found.cases)) throw new CasesError('no list `cases`');
    const group = found.group ?? name;
    return found.cases.flatMap((one, at) => tryCase(one, { id: `${file} ${at}`, group, locate }));
  } catch (error) {
    return [{ id: file, group: name, name: 'the file', expected: 'cases', got: String(error) }];
  }
}

interface CaseFile {
  readonly group?: string;
  readonly cases?: readonly Case[];
  readonly transactions?: unknown;
}

interface Place extends Pick<Outcome, 'id' | 'group'> {
  locate(name: string): string;
}

/** What keeps a case from being run is what was found in it. */
function tryCase(one: Case, { id, group, locate }: Place): Outcome[] {
  const name = String(one.case ?? `case without a name (${id})`);
  const failed = (expected: string, got: unknown) => [{ id, group, name, expected, got: String(got) }];
  try {
    if (typeof one.trace_file !== 'string') return failed('a trace', 'no `trace_file`');
    const expected = one.expected_actions;
    if (!Array.isArray(expected) || expected.length === 0)
      return failed('actions', 'no list `expected_actions`');
    const recorded = readJson(locate(one.trace_file)) as RecordedTrace;
    return outcomesOf(recorded, expected).map((outcome) => ({ id, group, name, ...outcome }));
  } catch (error) {
    return failed('a trace that can be classified', error);
  }
}

function outcomesOf(
  recorded: RecordedTrace,
  expectedActions: readonly ExpectedAction[],
): Pick<Outcome, 'expected' | 'got'>[] {
  const { actions, problems } = classifyTrace(traceOf(recorded), factsOf(recorded));
  const columns = actions.map(recordedColumns);
  const trouble = problems.map(({ matcher, error }) => ` [${matcher}: ${error}]`).join('');
  return expectedActions.map((expected) => ({
    expected: expected.selector_source ? `${expected.type} ${expected.selector_source}` : expected.type,
    got: gotFor(expected, columns) + trouble,
  }));
}
