import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { expect, it } from 'vitest';
import { accentCss, contrastOf, deriveAccent, MIN_CONTRAST } from '#api/accent.ts';
import { cssVariables, theme } from '#renderer/theme/theme.ts';

const COLORS = ['#000000', '#ffffff', '#808080', '#ffd400', '#84cc16', '#e11d48', '#2563eb', '#7c3aed', '#00ff00', '#0000ff', '#125d69'];
const merged = mergeMantineTheme(DEFAULT_THEME, theme);
const [known, own] = [defaultCssVariablesResolver(merged), cssVariables(merged)];
const variablesOf = (part: 'light' | 'dark') => ({ ...known.variables, ...known[part], ...own.variables, ...own[part] });

it('measures contrast as WCAG does', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

it.each(COLORS)('makes shades of %s that are readable in both themes', (color) => {
  const { light, dark } = deriveAccent(color);
  for (const [{ fill, text, soft }, scheme] of [[light, 'light'] as const, [dark, 'dark'] as const]) {
    const variables: Record<string, string> = variablesOf(scheme);
    expect(contrastOf('#ffffff', fill)).toBeGreaterThanOrEqual(MIN_CONTRAST);
    for (const ground of ['--pd-ground', '--pd-rail', '--pd-tile'])
      expect(contrastOf(text, variables[ground] as string), ground).toBeGreaterThanOrEqual(MIN_CONTRAST);
    expect(contrastOf(text, soft)).toBeGreaterThanOrEqual(MIN_CONTRAST);
    expect(contrastOf(fill, variables['--pd-ground'] as string)).toBeGreaterThanOrEqual(3);
  }
});

it.each(['#125d69', '#2563eb', '#7c3aed'])('leaves %s as it is where it is readable', (color) => {
  expect(deriveAccent(color).light.fill).toBe(color);
});

it('replaces every variable of the theme that contains the default accent', () => {
  const css = accentCss('#e11d48');
  for (const scheme of ['light', 'dark'] as const) {
    const rules = css.split('html:root').filter((rule) => rule.startsWith('{') || rule.includes(`"${scheme}"`));
    const replaced = new Set(rules.flatMap((rule) => [...rule.matchAll(/(--[\w-]+):/g)].map(([, name]) => name)));
    const petrol = merged.colors.petrol?.flatMap((shade) => [shade, rgbOf(shade)]) ?? [];
    const left = Object.entries(variablesOf(scheme)).filter(
      ([name, value]) => petrol.some((shade) => value.replaceAll(',', '').includes(shade)) && !replaced.has(name),
    );
    expect(left).toEqual([]);
  }
});

/** The numbers of a colour as `rgb()` has them. */
const rgbOf = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(' ');
