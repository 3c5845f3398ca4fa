import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseJson } from '../../src/api/http/json-source.ts';
import { classifyTrace } from '../../src/projections/actions/classify.ts';
import type { RulesRelease } from '../../src/projections/actions/match/context.ts';
import { recordedColumns } from '../../src/projections/actions/out/recorded-columns.ts';
import { type Difference, findDifferences } from './compare-values.ts';
import { conditionIn, holds } from './condition.ts';
import { type RecordedTrace, toFacts, toTrace } from './trace-fixture.ts';

/** One action that a case expects. */
interface ExpectedAction {
  readonly type: string;
  readonly values?: Readonly<Record<string, unknown>> | null;
  /** Condition that picks one action of the type, or a list of them. */
  readonly selector_source?: string | null;
}

interface Case {
  readonly case: string;
  readonly trace_file?: string | null;
  /** Names the file where `trace_file` does not. */
  readonly trace_id?: string | null;
  readonly expected_actions: readonly ExpectedAction[];
}

/** A folder that is to have cases has none. */
export class CasesError extends Error {
  override readonly name = 'CasesError';
}

/** One expected action against what was classified. */
export interface Outcome {
  /** Id of the case: several expected actions have the same. */
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly expected: string;
  /** `ok`, or what was found instead. */
  readonly got: string;
}

const FILE = /\.json(\.gz)?$/;

/** Files of cases under a folder of traces with `cases/` inside, or of a folder of cases itself. @throws CasesError */
function caseFiles(folder: string): {
  readonly places: readonly string[];
  readonly files: readonly string[];
} {
  const inside = join(folder, 'cases');
  const cases = existsSync(inside) ? inside : folder;
  if (!existsSync(cases) || !statSync(cases).isDirectory()) throw new CasesError(`${folder} is no folder`);
  const files = readdirSync(cases).filter((name) => FILE.test(name));
  // `trace_file` is given from the folder above the traces.
  const places = ['../..', '..', '.'].map((above) => resolve(cases, above));
  return { places: [...places, resolve(folder)], files: files.sort().map((name) => join(cases, name)) };
}

/** Finds the trace under the case's name, or only its last part, in any of the places; it may be packed. */
function traceFile(places: readonly string[], name: string): string {
  const paths = places.flatMap((place) => [
    join(place, name),
    join(place, basename(name)),
    join(place, 'traces', basename(name)),
  ]);
  return (
    paths.flatMap((path) => [path, `${path}.gz`]).find((path) => existsSync(path)) ?? (paths[0] as string)
  );
}

/** The file of a case's trace; null if it names none. */
function traceName({ trace_file: file, trace_id: id }: Case): string | null {
  if (typeof file === 'string') return file;
  return typeof id === 'string' ? `${id.replaceAll('+', '-').replaceAll('/', '_')}.json` : null;
}

/** Amounts of any length: integers beyond 2^53 are bigints. @throws JsonTextError */
function readJson(file: string): unknown {
  const bytes = readFileSync(file);
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return parseJson((isPacked ? gunzipSync(bytes) : bytes).toString('utf8'));
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? one.toString() : one)) ?? 'nothing';

const differenceText = ({ path, expected, got }: Difference): string =>
  `${path}: ${shown(got)} instead of ${shown(expected)}`;

/** `ok`, or why no action of the trace is what the case expects. */
function gotFor(expected: ExpectedAction, actions: readonly Readonly<Record<string, unknown>>[]): string {
  const sameType = actions.filter(({ type }) => String(type).toLowerCase() === expected.type.toLowerCase());
  const { selector_source: selector } = expected;
  const values = expected.values ?? {};
  const picked =
    typeof selector === 'string'
      ? sameType.filter((one) => holds(conditionIn(selector) ?? selector, one))
      : sameType;
  const [only, ...others] = picked;
  if (!only || others.length > 0) {
    const types = actions.map(({ type }) => type).join(', ');
    return `${picked.length} actions of the type; all: ${types}`;
  }
  const differences = findDifferences(values, only);
  return differences.length === 0 ? 'ok' : differences.map(differenceText).join('; ');
}

/** Outcomes of every expected action of every case below a folder, by the rules of a release. @throws CasesError there is none */
export function runCases(folder: string, release: RulesRelease = '1.2'): Outcome[] {
  const { places, files } = caseFiles(folder);
  const locate = (name: string) => traceFile(places, name);
  const outcomes = files.flatMap((file) => outcomesOfFile(file, { locate, release }));
  if (outcomes.length === 0) throw new CasesError(`no cases in ${folder}`);
  return outcomes;
}

/** A file that cannot be read is a case that failed: the others are run all the same. */
function outcomesOfFile(file: string, by: Pick<Place, 'locate' | 'release'>): Outcome[] {
  const name = basename(file).replace(FILE, '');
  try {
    const found = readJson(file) as CaseFile;
    // A recorded trace may be next to the cases.
    if (Array.isArray(found.transactions)) return [];
    if (!Array.isArray(found.cases)) throw new CasesError('no list `cases`');
    const group = found.group ?? name;
    return found.cases.flatMap((one, at) => tryCase(one, { id: `${file} ${at}`, group, ...by }));
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
  readonly release: RulesRelease;
  locate(name: string): string;
}

/** Outcomes of a case. If it cannot be run, `got` is the reason. */
function tryCase(one: Case, { id, group, release, locate }: Place): Outcome[] {
  const name = String(one.case ?? `case without a name (${id})`);
  const failed = (expected: string, got: unknown) => [{ id, group, name, expected, got: String(got) }];
  try {
    const trace = traceName(one);
    if (trace === null) return failed('a trace', 'no `trace_file`');
    const expected = one.expected_actions;
    if (!Array.isArray(expected) || expected.length === 0)
      return failed('actions', 'no list `expected_actions`');
    const recorded = readJson(locate(trace)) as RecordedTrace;
    return buildOutcomes(recorded, expected, release).map((outcome) => ({ id, group, name, ...outcome }));
  } catch (error) {
    return failed('a trace that can be classified', error);
  }
}

function buildOutcomes(
  recorded: RecordedTrace,
  expectedActions: readonly ExpectedAction[],
  release: RulesRelease,
): Pick<Outcome, 'expected' | 'got'>[] {
  const { actions, problems } = classifyTrace(toTrace(recorded), toFacts(recorded), { release });
  const columns = actions.map(recordedColumns);
  const trouble = problems.map(({ matcher, error }) => ` [${matcher}: ${error}]`).join('');
  return expectedActions.map((expected) => ({
    expected: expected.selector_source ? `${expected.type} ${expected.selector_source}` : expected.type,
    got: gotFor(expected, columns) + trouble,
  }));
}
