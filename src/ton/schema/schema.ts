import { CompiledConstructor } from './compiled-constructor.ts';
import { DeclaredType } from './declared-type.ts';
import { parseSchema } from './parse-schema.ts';
import type { Argument, Read } from './readers.ts';
import { SchemaError } from './schema-error.ts';
import type { Constructor } from './syntax.ts';

/** The types of some TL-B texts. Each constructor is compiled when it is first read by, or all of them by `check`. */
export class Schema {
  private readonly types: ReadonlyMap<string, DeclaredType>;
  private readonly source: string;

  /**
   * @param source names the text in errors
   * @throws SchemaError
   */
  constructor(text: string, source: string) {
    this.source = source;
    const byType = Map.groupBy(parseSchema(text, source), ({ type }) => type);
    const compiled = (source: Constructor) => new CompiledConstructor(source, this.declarations(source.line));
    this.types = new Map(
      [...byType].map(([name, constructors]) => [name, new DeclaredType(constructors.map(compiled))]),
    );
  }

  /** Names of the types, in the order of the text. */
  get typeNames(): string[] {
    return [...this.types.keys()];
  }

  /** Returns the constructors of a type in the order of the text; none for an unknown type. */
  getConstructors(type: string): readonly CompiledConstructor[] {
    return this.types.get(type)?.constructors ?? [];
  }

  /** Compiles everything. @throws SchemaError */
  check(): void {
    for (const { constructors, parameters } of this.types.values()) {
      for (const one of constructors) {
        const { source } = one;
        if (source.parameters.length !== parameters)
          throw new SchemaError(this.source, source.line, `${source.type} has other parameters elsewhere`);
        one.compile();
      }
    }
  }

  private declarations(line: number) {
    const refuse = (what: string): never => {
      throw new SchemaError(this.source, line, what);
    };
    const declared = (name: string, args: readonly Argument[]): Read => {
      const type = this.types.get(name);
      if (!type) return refuse(`there is no type ${name}`);
      if (type.parameters !== args.length)
        return refuse(`${name} takes ${type.parameters} arguments, not ${args.length}`);
      return (reading, scope) => type.read(reading, args, scope);
    };
    const getExtent = (name: string) => this.types.get(name)?.extent ?? null;
    return { declared, refuse, getExtent };
  }
}
