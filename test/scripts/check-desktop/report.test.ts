import { expect, it } from 'vitest';

type Outcome = { verdict: string; code: number };
const { judge } = (await import('../../../scripts/check-desktop/report.mjs' as string)) as { judge(check: object): Outcome };

const session = (Chromium: string, hasStarted = true) => ({ probe: { versions: { Chromium } }, hasStarted });
const run = (statuses: readonly string[], errors: readonly string[] = []) => ({
  scenarios: statuses.map((status) => ({ status })),
  errors,
});
const REAL = '146.0.1';

it('succeeds only if Electron ran, the app started and no scenario failed', () => {
  const passed = judge({ session: session(REAL), run: run(['passed', 'skipped', 'passed']) });
  expect(passed).toEqual({ verdict: 'Start: passed. Scenarios: 2 passed, 1 skipped.', code: 0 });
  const failures = [
    { session: session(REAL), run: run(['passed', 'FAILED']) },
    { session: session(REAL), run: run(['passed', 'not run']) },
    { session: session(REAL), run: run(['skipped']) },
    { session: session(REAL), run: run(['passed'], ['no such file']) },
    { session: session(REAL, false), run: run(['passed']) },
    { session: session('none'), run: run(['FAILED']) },
  ];
  for (const failure of failures) expect(judge(failure).code, JSON.stringify(failure)).toBe(1);
});

it('reports that no Electron ran, also when everything passed on the double', () => {
  expect(judge({ reason: 'There is no display.' })).toEqual({
    verdict: expect.stringMatching(/^NO ELECTRON RAN[\s\S]*no display\.$/),
    code: 2,
  });
  expect(judge({ session: { hasStarted: false } })).toEqual({ verdict: expect.stringContaining('DIDN’T START'), code: 2 });
  expect(judge({ session: session('none'), run: run(['passed']) })).toEqual({
    verdict: expect.stringMatching(/^NO ELECTRON RAN, only the tests’ double[\s\S]*Scenarios: 1 passed\.$/),
    code: 2,
  });
});

const { checklistFor } = (await import('../../../scripts/check-desktop/checklist.mjs' as string)) as {
  checklistFor(platform: string, desktops?: readonly string[]): string;
};

const headings = (...[platform, desktops]: Parameters<typeof checklistFor>) =>
  checklistFor(platform, desktops)
    .split('\n')
    .filter((line) => line.startsWith('### '))
    .map((line) => line.split(/[ :,]/, 2)[1] + (/Ubuntu|Fedora/.exec(line)?.[0] ?? ''));

it.each([
  ['linux', ['ubuntu', 'GNOME'], ['Linux', 'LinuxUbuntu', 'Each', 'Each']],
  ['linux', ['KDE'], ['Linux', 'LinuxFedora', 'Each', 'Each']],
  ['linux', ['sway'], ['Linux', 'LinuxUbuntu', 'LinuxFedora', 'Each', 'Each']],
  ['win32', [], ['Windows', 'Windows', 'Each', 'Each']],
  ['darwin', [], ['macOS', 'Windows', 'Each', 'Each']],
])('lists for %s with %j what concerns it', (platform, desktops, expected) => {
  expect(headings(platform, desktops)).toEqual(expected);
});

it('says in each item what to expect, and leaves room for what was seen', () => {
  const items = ['linux', 'win32', 'darwin'].flatMap((platform) =>
    checklistFor(platform)
      .split(/^(?=- \[)/m)
      .slice(1),
  );
  expect(items.length).toBeGreaterThan(40);
  for (const item of items) expect(item).toMatch(/^- \[ \] \*\*.+?\.\*\* .+\s\*Expect:\*\s.+\n {2}Seen:\s+(?:### .*\s+)?$/s);
});
