// Playwright's reporter for `npm run check:desktop`: appends to PIXDOCK_CHECK_FILE what happens, line by line, so that nothing is lost if the
// run is stopped.
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export default class {
  onBegin({ rootDir }, suite) {
    for (const { id, title, location } of suite.allTests()) note({ id, title, file: relative(rootDir, location.file), status: 'not run' });
  }

  onTestEnd({ id }, { status, duration, error, annotations }) {
    // Playwright also calls those skipped whose file couldn't be loaded.
    const skip = annotations.find(({ type }) => type === 'skip');
    const known = { passed: 'passed', skipped: skip ? 'skipped' : 'not run', interrupted: 'not run' }[status] ?? 'FAILED';
    note({ id, status: known, seconds: duration / 1000, reason: error ? firstLine(error) : skip?.description });
  }

  onError(error) {
    note({ error: firstLine(error) });
  }

  printsToStdio() {
    return false;
  }
}

const note = (entry) => appendFileSync(process.env.PIXDOCK_CHECK_FILE, `${JSON.stringify(entry)}\n`);
const firstLine = ({ message = '' }) => stripVTControlCharacters(message).split('\n', 1)[0];
