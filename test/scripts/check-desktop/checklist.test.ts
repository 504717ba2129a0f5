import { expect, it } from 'vitest';

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
