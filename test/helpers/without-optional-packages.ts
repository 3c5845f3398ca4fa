/** Imported into a process: packages that an install for a ClickHouse server lacks cannot be loaded. */
import { registerHooks } from 'node:module';

const OPTIONAL = /^(ffi-rs|chdb|@chdb)(\/|$)/;

registerHooks({
  resolve(specifier, context, next) {
    if (OPTIONAL.test(specifier))
      throw new Error(`optional package ${specifier} is loaded by ${context.parentURL}`);
    return next(specifier, context);
  },
});
