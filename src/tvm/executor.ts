import { createRequire } from 'node:module';
import type { Executor } from '@ton/sandbox';
import {
  type WasmImports,
  type WasmInstance,
  type WasmModule,
  webAssembly,
} from '../ton/kernel/web-assembly.ts';

/** The part of `Executor` that is not public in its types. */
interface LowLevel {
  getEmulatorPointer(config: string, verbosity: number): number;
  invoke(method: string, args: (number | string)[]): number;
  extractString(pointer: number): string;
}

/** Exports of the executor's module, by the names that its build gave them. */
interface Exports {
  readonly Da: { readonly buffer: ArrayBuffer };
  /** Constructors of global objects. */
  Ea(): void;
  /** Sets the top of the stack. */
  Ra(top: number): void;
  /** The top of the stack. */
  Ta(): number;
}

/** The script around the module: `_malloc` and the entry points of the instance that it received last. */
interface Glue {
  _malloc(bytes: number): number;
}

type Receive = (instance: WasmInstance, module: WasmModule) => void;
type LoadGlue = (hooks: { instantiateWasm(imports: WasmImports, receive: Receive): object }) => Promise<Glue>;

const require = createRequire(import.meta.url);
/** Files of `@ton/sandbox`: package.json says where they are. In the package they are copies, without the rest of it. */
const FOLDER = '#executor';
/** The file alone: the whole package takes 150 ms more of each thread's start. */
const executorFile = require(`${FOLDER}/Executor.js`) as { readonly Executor: typeof Executor };
/** Its constructor is private: `create` would load a module that it alone can reach. */
const ExecutorClass = executorFile.Executor as unknown as new (glue: Glue) => LowLevel;

/**
 * Bytes of the stack. The module brings 64 KB with it, below which its own globals lie: setting a key of a dictionary 160
 * levels deep wrote over them unnoticed, a state 305 levels deep ended in a trap. A legal cell has a depth of at most 1,024,
 * which takes 216 KB, and a dictionary's key at most 1,023 bits, for which 380 KB are taken.
 */
export const STACK_BYTES = 8 << 20;
/** The lowest bytes of the stack, which nothing may have written to. */
const GUARD_BYTES = 1024;
const GUARD = 0xa5;

let compiled: WasmModule | null = null;

/** A module that another thread compiled, for this one: it need not read and compile its own, for which it takes 75 ms of processor time. */
export function takeModule(module: WasmModule): void {
  compiled = module;
}

/** Compiled once, unless it was taken over. */
export function compiledModule(): WasmModule {
  if (compiled === null) {
    const { EmulatorEmscriptenWasm } = require(`${FOLDER}/emulator-emscripten.wasm.js`);
    compiled = new webAssembly.Module(Buffer.from(EmulatorEmscriptenWasm as string, 'base64'));
  }
  return compiled;
}

/** The stack was used up to its last bytes: what lies below it may be damaged. */
export class StackOverflowError extends Error {
  override readonly name = 'StackOverflowError';

  constructor(bytes: number) {
    super(`the stack of ${bytes} bytes was used up`);
  }
}

/**
 * The node's executor in WebAssembly, with a stack of its own size and a fresh instance at will: after a trap nothing in
 * the memory of an instance can be trusted.
 */
export class TvmExecutor {
  private readonly glue: Glue;
  private readonly imports: WasmImports;
  private readonly receive: Receive;
  private readonly stackBytes: number;
  private exports!: Exports;
  private executor!: LowLevel;
  private guardAt = 0;

  private constructor(glue: Glue, imports: WasmImports, receive: Receive, stackBytes: number) {
    this.glue = glue;
    this.imports = imports;
    this.receive = receive;
    this.stackBytes = stackBytes;
    this.renew();
  }

  /** Takes 100 to 250 ms and about 120 MB. */
  static async load(stackBytes = STACK_BYTES): Promise<TvmExecutor> {
    const loadGlue = require(`${FOLDER}/emulator-emscripten.js`) as LoadGlue;
    let hook: { imports: WasmImports; receive: Receive } | null = null;
    const glue = await loadGlue({
      instantiateWasm(imports, receive) {
        hook = { imports, receive };
        receive(new webAssembly.Instance(compiledModule(), imports), compiledModule());
        return {};
      },
    });
    const { imports, receive } = hook! as { imports: WasmImports; receive: Receive };
    return new TvmExecutor(glue, imports, receive, stackBytes);
  }

  /** Goes on with a fresh instance; every pointer of the one before is void. Takes about 40 ms and waits for nothing. */
  renew(): void {
    const instance = new webAssembly.Instance(compiledModule(), this.imports);
    this.receive(instance, compiledModule());
    this.exports = instance.exports as unknown as Exports;
    this.exports.Ea();
    this.placeStack();
    this.executor = new ExecutorClass(this.glue);
  }

  /** The emulator of a configuration: the same one, as long as both arguments stay the same. */
  getEmulator(config: string, verbosity: number): number {
    return this.checked(() => this.executor.getEmulatorPointer(config, verbosity));
  }

  /** Calls an entry point. @returns what it answers, a text. @throws whatever a trap is */
  call(method: string, args: (number | string)[]): string {
    return this.checked(() => this.executor.extractString(this.executor.invoke(method, args)));
  }

  private checked<T>(run: () => T): T {
    const result = run();
    const guard = new Uint8Array(this.exports.Da.buffer, this.guardAt, GUARD_BYTES);
    if (guard.some((byte) => byte !== GUARD)) throw new StackOverflowError(this.stackBytes);
    return result;
  }

  private placeStack(): void {
    const low = this.glue._malloc(this.stackBytes);
    const top = (low + this.stackBytes) & ~15;
    this.exports.Ra(top);
    if (low === 0 || this.exports.Ta() !== top)
      throw new Error(`stack of the TVM executor: expected at ${top}, found at ${this.exports.Ta()}`);
    new Uint8Array(this.exports.Da.buffer, low, GUARD_BYTES).fill(GUARD);
    this.guardAt = low;
  }
}
