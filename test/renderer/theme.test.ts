import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { build, createLogger } from 'vite';
import { expect, it } from 'vitest';
import { contrastOf, MIN_CONTRAST } from '#api/accent.ts';
import { cssVariables, theme } from '#renderer/theme/theme.ts';

const merged = mergeMantineTheme(DEFAULT_THEME, theme);

/** The colour that a variable stands for in one theme, as `#rrggbb`. */
function colourOf(name: string, part: 'light' | 'dark'): string {
  const [known, own] = [defaultCssVariablesResolver(merged), cssVariables(merged)];
  const value = { ...known.variables, ...known[part], ...own.variables, ...own[part] }[name] ?? '';
  const [, other] = /^var\((.+)\)$/.exec(value) ?? [];
  if (other) return colourOf(other, part);
  const channels = /^rgba\((\d+), (\d+), (\d+), 1\)$/.exec(value)?.slice(1);
  return channels ? `#${channels.map((one) => Number(one).toString(16).padStart(2, '0')).join('')}` : value;
}

it.each(['light', 'dark'] as const)('the titles of notices are readable in the %s theme', (part) => {
  const unreadable = ['yellow', 'orange', 'teal', 'gray', 'red'].filter((tone) => {
    const [text, ground] = [colourOf(`--mantine-color-${tone}-light-color`, part), colourOf(`--mantine-color-${tone}-light`, part)];
    expect([text, ground]).toEqual([expect.stringMatching(/^#[0-9a-f]{6}$/), expect.stringMatching(/^#[0-9a-f]{6}$/)]);
    return contrastOf(text, ground) < MIN_CONTRAST;
  });
  expect(unreadable).toEqual([]);
});

const ROOT = join(import.meta.dirname, '../..');

it('compiles every stylesheet without a warning', async () => {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const input = globSync('renderer/**/*.css', { cwd: ROOT });
  expect(input.length).toBeGreaterThan(50);
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: 'warn',
    customLogger: { ...createLogger('silent'), warn, warnOnce: warn },
    build: { write: false, rolldownOptions: { input, checks: { bundlerTimings: false } } },
  });
  expect(warnings).toEqual([]);
});
