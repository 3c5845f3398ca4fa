import { readImports } from './read-imports.ts';

/** Files of `src/api` between a list's route and its SQL, at most. */
export const ROOM_LIMIT = 8;

/** Routes whose files are counted, with the folders and files that serve only their entity. */
const ROUTES: Readonly<Record<string, RegExp>> = {
  'src/api/v3/routes/tokens/jetton-wallets.ts': /\/tokens\/|\/schemas\/jetton/,
};

/** A route, and the files of its entity that run for it. */
export interface RoomFiles {
  readonly route: string;
  readonly files: readonly string[];
  /** Number of all files of `src/api` that are loaded with the route, shared ones too. */
  readonly all: number;
}

/** Follows the imports of routes that are loaded at run time. What only shared files import is shared. */
export function roomFiles(): RoomFiles[] {
  const imports = new Map<string, string[]>();
  for (const { file, target, isLoaded } of readImports(['src/api']))
    if (isLoaded) imports.set(file, [...(imports.get(file) ?? []), target]);
  const follow = (route: string, isWanted: (file: string) => boolean) => {
    const found = new Set([route]);
    for (const file of found)
      for (const target of imports.get(file) ?? []) if (isWanted(target)) found.add(target);
    return found;
  };
  return Object.entries(ROUTES).map(([route, isOwn]) => ({
    route,
    files: [...follow(route, (file) => isOwn.test(file))],
    all: follow(route, (file) => file.startsWith('src/api/')).size,
  }));
}
