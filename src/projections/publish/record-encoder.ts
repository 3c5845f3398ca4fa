import type { LogRecord, OutputRecord } from '../../engine/projection/projection.ts';
import type { CompiledSchema, SchemaSet } from '../../platform/avro/schema-files.ts';
import { BASE_TABLES } from '../../tables/base-tables.ts';
import type { NativeParts } from '../../ton/kernel/native-parts.ts';
import { TableView } from '../../ton/kernel/table-view.ts';
import { avroFields } from './avro-fields.ts';
import type { AvroOutput } from './avro-output.ts';
import { FieldMismatchError, type FieldWriter, fieldWriter } from './field-writers.ts';
import { PUBLISHED, type PublishedOutput } from './published.ts';
import { accountPartition, KEY_RULES, type KeyRule } from './record-keys.ts';

/** Header with the record's key again: frameworks that replace keys keep headers. */
export const ID_HEADER = 'tonhouse.id';
/** Header with lane and offset of the raw block in the log, and the row's number within its kind. */
export const SOURCE_HEADER = 'tonhouse.source';

interface KindEncoder {
  readonly output: PublishedOutput;
  readonly schemaId: number;
  readonly keys: KeyRule;
  readonly fields: readonly { readonly name: string; readonly writer: FieldWriter }[];
}

/** Makes the records of the typed topics from decoded rows, by the newest schema of each kind. */
export class RecordEncoder {
  readonly #kinds: readonly KindEncoder[];
  readonly #partitions: number;

  /** @throws FieldMismatchError if a schema does not fit the decoded columns */
  constructor(schemas: SchemaSet, partitions: number) {
    this.#partitions = partitions;
    this.#kinds = PUBLISHED.map((output) => kindEncoder(output, schemas.newest.get(output.kind)));
  }

  /** The records of one raw block's or state's rows, kind by kind. */
  encode(parts: NativeParts, source: LogRecord, out: AvroOutput): OutputRecord[] {
    const views = TableView.all(parts);
    return this.#kinds.flatMap((kind) => {
      const view = views.get(kind.output.table);
      return view ? this.#records(kind, view, source, out) : [];
    });
  }

  #records(kind: KindEncoder, view: TableView, source: LogRecord, out: AvroOutput): OutputRecord[] {
    const { output, schemaId, keys, fields } = kind;
    for (const { name, writer } of fields) writer.bind(view.streams(name));
    const ids = keys.account === null ? null : (view.streams(keys.account)[0] as Buffer);
    const records: OutputRecord[] = [];
    for (let row = 0; row < view.rows; row++) {
      out.begin(schemaId);
      for (const { writer } of fields) writer.write(row, out);
      const key = keys.key(view, row);
      records.push({
        topic: output.topic,
        partition: ids ? accountPartition(ids, row, this.#partitions) : source.lane,
        key,
        headers: { [ID_HEADER]: key, [SOURCE_HEADER]: `${source.lane}/${source.offset}/${row}` },
        value: out.finish(),
      });
    }
    return records;
  }
}

function kindEncoder(output: PublishedOutput, schema: CompiledSchema | undefined): KindEncoder {
  if (!schema) throw new TypeError(`no schema for ${output.kind}`);
  const columns: Readonly<Record<string, string>> = BASE_TABLES[output.table];
  const fields = avroFields(schema.source).map(({ name, type }) => {
    const [field, column] = [`${output.kind}.${name}`, columns[name]];
    if (column === undefined) throw new FieldMismatchError(field, '(none: no such column)', type);
    return { name, writer: fieldWriter(field, column, type) };
  });
  return { output, schemaId: schema.id, keys: KEY_RULES[output.kind], fields };
}
