import { join, relative, resolve } from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

const PROJECT = resolve(import.meta.dirname, '../..');

/** A file of the project, parsed. */
export interface SourceTree {
  /** From the root of the project. */
  readonly file: string;
  readonly tree: SourceFile;
}

/** Parses the TypeScript files below some folders of a project. Default: this one. */
export function sourceTrees(folders: readonly string[], root: string = PROJECT): SourceTree[] {
  const api = new API({ cwd: root });
  try {
    const config = join(root, 'tsconfig.json');
    const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
    if (!program) throw new Error(`${config}: no project`);
    return program
      .getSourceFileNames()
      .map((name) => ({ file: relative(root, name), name }))
      .filter(({ file }) => folders.some((folder) => file.startsWith(`${folder}/`)))
      .map(({ file, name }) => ({ file, tree: program.getSourceFile(name) }))
      .filter((one): one is SourceTree => one.tree !== undefined);
  } finally {
    api.close();
  }
}

/** A node with everything below it, parents before children. */
export function* walkNodes(node: Node): Generator<Node> {
  yield node;
  const children: Node[] = [];
  node.forEachChild((child) => {
    children.push(child);
  });
  for (const child of children) yield* walkNodes(child);
}

/** `file:line` of a node, lines counted from 1. */
export function getPlace({ file, tree }: SourceTree, node: Node): string {
  const before = tree.text.slice(0, node.getStart(tree));
  return `${file}:${before.split('\n').length}`;
}
