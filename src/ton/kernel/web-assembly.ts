/** A compiled module; only `Instance` knows more of it. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module';
}

export type WasmImports = Readonly<Record<string, Readonly<Record<string, (...args: never[]) => void>>>>;

export interface WasmInstance {
  readonly exports: object;
}

/** The used part of the platform's WebAssembly API. Node's types lack it, and browser types are not loaded. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: WasmImports) => WasmInstance;
}

export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
