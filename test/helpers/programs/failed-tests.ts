import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter as BrowserReporter, TestCase as BrowserTest, TestResult } from 'playwright/types/testReporter';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Adds failed tests to the list that `npm test` prints at its end, for Vitest and Playwright alike. */
export default class FailedTests implements BrowserReporter, Reporter {
  onTestEnd(test: BrowserTest, { error }: TestResult) {
    if (test.outcome() === 'unexpected') note(test.titlePath().filter(Boolean).join(' › '), error?.message);
  }

  onTestCaseResult(test: TestCase) {
    const result = test.result();
    if (result.state === 'failed') note(`${test.module.relativeModuleId} › ${test.fullName}`, result.errors[0]?.message);
  }

  onTestModuleEnd(module: TestModule) {
    for (const { message } of module.errors()) note(module.relativeModuleId, message);
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly { message: string }[]) {
    for (const { message } of errors) note('outside a test', message);
  }

  printsToStdio() {
    return false;
  }
}

function note(title: string, message = '') {
  const [reason = ''] = stripVTControlCharacters(message).split('\n', 1);
  if (process.env.PIXDOCK_FAILED_TESTS) appendFileSync(process.env.PIXDOCK_FAILED_TESTS, `${title}: ${reason}\n`);
}
