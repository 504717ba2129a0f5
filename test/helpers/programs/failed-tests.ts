import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter as BrowserReporter, TestCase as BrowserTest, TestResult } from 'playwright/types/testReporter';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Adds failed tests, and those that passed only when tried again, to the list that `npm test` prints at its end, for Vitest and Playwright alike. */
export default class FailedTests implements BrowserReporter, Reporter {
  onTestEnd(test: BrowserTest, { error, retry }: TestResult) {
    const title = test.titlePath().filter(Boolean).join(' › ');
    if (test.outcome() === 'unexpected' && retry === test.retries) note(title, error?.message);
    if (test.outcome() === 'flaky') note(`UNSTABLE ${title}`, test.results[0]?.error?.message);
  }

  onTestCaseResult(test: TestCase) {
    const { state, errors } = test.result();
    const title = `${test.module.relativeModuleId} › ${test.fullName}`;
    if (state === 'failed') note(title, errors[0]?.message);
    else if (test.diagnostic()?.flaky) note(`UNSTABLE ${title}`, errors?.[0]?.message);
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

/** Lines of a message: as many as tell what was expected and what was there. */
const MAX_LINES = 16;

function note(title: string, message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim())
    .slice(0, MAX_LINES);
  if (process.env.PIXDOCK_FAILED_TESTS) appendFileSync(process.env.PIXDOCK_FAILED_TESTS, `${title}: ${lines.join('\n    ')}\n`);
}
