import type { Reporter, TestCase } from 'vitest/node';

/** Names every test that failed and passed when it was tried again, with its first failure: none passes unnoticed. */
export class RetriedReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const [first] = test.result().errors ?? [];
    const where = `${test.module.relativeModuleId} > ${test.fullName}`;
    console.log(
      `passed when tried again: ${where}\n${first?.stack?.split('\n').slice(0, 3).join('\n') ?? ''}`,
    );
  }
}
