import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages of a node_modules folder, with those below them, as `folder of the package`. */
export function installedPackages(modules: string): string[] {
  if (!existsSync(modules)) return [];
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const folder = join(modules, name);
      if (name.startsWith('@')) return installedPackages(folder);
      return [folder, ...installedPackages(join(folder, 'node_modules'))];
    });
}

/** Names of packages whose package.json names no license. */
export function findUnlicensed(modules: string): string[] {
  return installedPackages(modules)
    .map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    .filter(({ license, licenses }) => !license && !licenses)
    .map(({ name }) => name as string);
}

/** Sizes on disk: the sum, then packages of 10 MB and more, as `NAME N MB`. A file with several names counts once. */
export function folderMegabytes(modules: string): string[] {
  const seen = new Set<number>();
  const sizes = installedPackages(modules).map((folder) => ({ folder, bytes: folderBytes(folder, seen) }));
  const text = (name: string, bytes: number) => `${name} ${Math.round(bytes / 2 ** 20)} MB`;
  const large = sizes.filter(({ bytes }) => bytes >= 10 * 2 ** 20).sort((a, b) => b.bytes - a.bytes);
  const sum = sizes.reduce((all, { bytes }) => all + bytes, 0);
  return [
    text('all', sum),
    ...large.map(({ folder, bytes }) => text(folder.slice(modules.length + 1), bytes)),
  ];
}

function folderBytes(folder: string, seen: Set<number>): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    // Packages below are counted for themselves.
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + folderBytes(path, seen);
    const { ino, blocks } = lstatSync(path);
    if (seen.has(ino)) return sum;
    seen.add(ino);
    return sum + blocks * 512;
  }, 0);
}
