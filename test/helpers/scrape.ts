type Labels = Readonly<Record<string, string>>;

/** Metrics of a process at one moment. */
export interface Scrape {
  /** Value of the single series with these labels, and maybe others; undefined if there is none. */
  value(name: string, labels?: Labels): number | undefined;
  /** Sum of all series that have these labels. */
  sum(name: string, labels?: Labels): number;
}

/** Reads `/metrics` at `url`. */
export async function scrape(url: string): Promise<Scrape> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
  const series = (await answer.text()).split('\n').flatMap(readSeries);
  const of = (name: string, labels: Labels) =>
    series.filter(
      (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    );
  return {
    value: (name, labels = {}) => of(name, labels)[0]?.value,
    sum: (name, labels = {}) => of(name, labels).reduce((sum, { value }) => sum + value, 0),
  };
}

function readSeries(line: string): { name: string; labels: Labels; value: number }[] {
  const found = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
  if (!found) return [];
  const [, name = '', labels = '', value] = found;
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text] as const);
  return [{ name, labels: Object.fromEntries(pairs) as Labels, value: Number(value) }];
}
