/** A column of the lake as data-lake.md has it. */
export interface LakeColumn {
  readonly name: string;
  readonly isOptional: boolean;
  /** Beginning of the type in ClickHouse; null where the document gives none, which is text. */
  readonly type: string | null;
}

const TYPES: Readonly<Record<string, string>> = {
  int: 'Int32',
  long: 'Int64',
  bool: 'Bool',
  'decimal(38,0)': 'Decimal(38, 0)',
  'decimal(20,0)': 'Decimal(20, 0)',
};

/** Columns by table: of the sections `## table [partition column]`, in their order. */
export function readLakeColumns(text: string): ReadonlyMap<string, readonly LakeColumn[]> {
  const sections = [...text.matchAll(/^## (\w+) \[[^\]]+\]\n(.+)$/gm)];
  return new Map(sections.map(([, table, line]) => [table!, readLine(line!)]));
}

function readLine(line: string): readonly LakeColumn[] {
  const list = line
    .replace(/decimal\((\d+),(\d+)\)/g, 'decimal<$1;$2>')
    .replaceAll(/\([^)]*\)|\{[^}]*\}/g, '')
    .replace(/; (every|view|partition)\b.*$/, '')
    .replaceAll(/;(?!\d+>)/g, ',');
  return list.split(',').map((item) => {
    const [name = '', type] = item.trim().split(/\s+/);
    const plain = type?.replace(/\?$/, '').replace('<', '(').replace(';', ',').replace('>', ')');
    return {
      name: name.replace(/\?$/, ''),
      isOptional: item.trim().endsWith('?') || name.endsWith('?'),
      type: (plain !== undefined && TYPES[plain]) || null,
    };
  });
}
