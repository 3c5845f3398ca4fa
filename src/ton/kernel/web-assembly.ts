/** A compiled module; only `Instance` knows more of it. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module';
}

/** What of the platform's WebAssembly is used; Node's types do not have it, and those of browsers are not ours. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  readonly Instance: new (
    module: WasmModule,
    imports: Readonly<Record<string, Readonly<Record<string, (...args: never[]) => void>>>>,
  ) => { readonly exports: object };
}

export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
