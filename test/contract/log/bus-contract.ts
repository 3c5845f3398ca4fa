import { describe } from 'vitest';
import { appendContract } from './append-contract.ts';
import { deadLetterCountContract } from './dead-letter-count-contract.ts';
import { groupContract } from './group-contract.ts';
import { identityContract } from './identity-contract.ts';
import { journalContract } from './journal-contract.ts';
import type { LogFactory } from './log-fixture.ts';
import { partitionContract } from './partition-contract.ts';
import { retentionContract } from './retention-contract.ts';
import { writerContract } from './writer-contract.ts';

/** Requirements on every implementation of the Bus port; `factory` makes a new, empty log. */
export function busContract(name: string, factory: LogFactory): void {
  describe(`${name} as a bus`, () => {
    identityContract(factory);
    appendContract(factory);
    writerContract(factory);
    groupContract(factory);
    journalContract(factory);
    retentionContract(factory);
    partitionContract(factory);
    deadLetterCountContract(factory);
  });
}
