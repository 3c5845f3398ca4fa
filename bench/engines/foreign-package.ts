import { createRequire } from 'node:module';
import { join } from 'node:path';

/** True if a folder's `node_modules` has a package. */
export function hasPackage(name: string, modules: string): boolean {
  try {
    requireIn(modules).resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Loads a package that is not a dependency of the product. `Shape` is the part of it that the bench uses. */
export function loadPackage<Shape>(name: string, modules: string): Shape {
  return requireIn(modules)(name) as Shape;
}

function requireIn(modules: string): NodeJS.Require {
  return createRequire(join(modules, 'package.json'));
}
