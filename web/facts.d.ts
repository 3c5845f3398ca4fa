/** What the build adds to the script (scripts/page/facts.ts). */
declare module 'virtual:facts' {
  /** The files of examples/questions. */
  export const QUESTIONS: readonly {
    readonly name: string;
    readonly number: string;
    readonly title: string;
    readonly panel: 'timeseries' | 'table';
    readonly sql: string;
  }[];
  /** Statements whose first row is a value for a parameter of a question. */
  export const PARAMETER_VALUES: Readonly<Record<'address' | 'jetton', string>>;
  /** Names of get methods by their numbers. */
  export const METHOD_NAMES: Readonly<Record<string, string>>;
}
